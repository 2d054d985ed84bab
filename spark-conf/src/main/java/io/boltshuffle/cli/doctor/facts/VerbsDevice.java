package io.boltshuffle.cli.doctor.facts;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** A device and its first port, from {@code ibv_devinfo -v}. The formats of rdma-core and of macOS are the same. */
public record VerbsDevice(String name, String state, String linkLayer, OptionalInt maxQueuePairs, List<String> gids) {

    private static final String ACTIVE = "PORT_ACTIVE";

    public VerbsDevice {
        gids = List.copyOf(gids);
    }

    static List<VerbsDevice> parse(String devinfo) {
        List<VerbsDevice> devices = new ArrayList<>();
        List<String> block = new ArrayList<>();
        for (String line : devinfo.lines().toList()) {
            if (line.startsWith("hca_id:")) {
                addDevice(block, devices);
                block = new ArrayList<>();
            }
            block.add(line);
        }
        addDevice(block, devices);
        return devices;
    }

    public boolean isActive() {
        return state.equals(ACTIVE);
    }

    private static void addDevice(List<String> block, List<VerbsDevice> devices) {
        if (block.isEmpty() || !block.get(0).startsWith("hca_id:")) {
            return;
        }
        String state = "";
        String linkLayer = "";
        OptionalInt maxQueuePairs = OptionalInt.empty();
        List<String> gids = new ArrayList<>();
        for (String line : block) {
            int colon = line.indexOf(':');
            String key = colon < 0 ? "" : line.substring(0, colon).strip();
            String value = colon < 0 ? "" : line.substring(colon + 1).strip();
            if (key.equals("state") && state.isEmpty()) {
                state = value.split("\\s", 2)[0];
            } else if (key.equals("link_layer") && linkLayer.isEmpty()) {
                linkLayer = value;
            } else if (key.equals("max_qp")) {
                maxQueuePairs = KeyValues.integer(value);
            } else if (key.startsWith("GID[")) {
                gids.add(value);
            }
        }
        devices.add(new VerbsDevice(
                block.get(0).substring("hca_id:".length()).strip(), state, linkLayer, maxQueuePairs, gids));
    }
}
