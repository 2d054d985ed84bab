package io.boltshuffle.agent.cable;

import io.boltshuffle.topology.mac.HardwarePorts;
import io.boltshuffle.topology.mac.ThunderboltPeer;
import io.boltshuffle.topology.mac.ThunderboltPort;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * macOS: each Thunderbolt port has a domain of its own, and names the domain that it is cabled to. The formats are
 * known from documentation; no Mac has been asked yet.
 */
final class ThunderboltDomains implements PortSurvey {

    private static final Duration PATIENCE = Duration.ofSeconds(8);
    private static final List<String> PORTS = List.of("system_profiler", "SPThunderboltDataType", "-json");
    private static final List<String> INTERFACES = List.of("networksetup", "-listallhardwareports");
    private static final String DEVICE_PREFIX = "rdma_";

    private final Commands commands;

    ThunderboltDomains(Commands commands) {
        this.commands = commands;
    }

    @Override
    public View look() {
        HardwarePorts interfaces = HardwarePorts.parse(commands.output(PATIENCE, INTERFACES));
        Map<String, Behind> byDevice = new HashMap<>();
        for (ThunderboltPort port : ThunderboltPort.parse(commands.output(PATIENCE, PORTS))) {
            String attached = port.peer().map(ThunderboltPeer::domainUuid).orElse("");
            interfaces
                    .interfaceOf(port)
                    .ifPresent(name ->
                            byDevice.put(DEVICE_PREFIX + name, new Behind(port.domainUuid(), attached, List.of())));
        }
        return port -> byDevice.getOrDefault(port.device(), Behind.UNKNOWN);
    }
}
