package io.boltshuffle.rdma.link;

import io.boltshuffle.rdma.verbs.JnaVerbsProvider;
import io.boltshuffle.rdma.verbs.VirtualFabric;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Two hosts of a virtual Thunderbolt with one cable, both in this process. */
final class VirtualCable {

    private final VirtualFabric fabric;

    /** @param options more lines of the fabric's description */
    VirtualCable(Path directory, LinkMode mode, String... options) throws Exception {
        List<String> description = new ArrayList<>(
                List.of("profile apple", mode == LinkMode.SEND ? "mode uc" : "mode rc", "host a", "host b"));
        description.addAll(List.of(options));
        description.add("cable c a:en5 b:en6");
        fabric = VirtualFabric.of(directory, description.toArray(String[]::new));
    }

    LinkHost open(int side, LinkMode mode, long slabBytes) throws Exception {
        return open(side, mode, slabBytes, Duration.ofSeconds(20));
    }

    /** @param control longest time a control call may take */
    LinkHost open(int side, LinkMode mode, long slabBytes, Duration control) throws Exception {
        String host = side == 0 ? "a" : "b";
        JnaVerbsProvider provider = fabric.provider(host).withControlTimeout(control);
        return new LinkHost(host, provider, side == 0 ? "rdma_en5" : "rdma_en6", mode, slabBytes);
    }

    /** Makes something go wrong, or right again, on the cable. */
    void cable(String... command) throws Exception {
        fabric.control(words("cable", "c", command));
    }

    void port(String port, String... command) throws Exception {
        fabric.control(words("port", port, command));
    }

    private static String[] words(String first, String second, String... rest) {
        String[] all = new String[rest.length + 2];
        all[0] = first;
        all[1] = second;
        System.arraycopy(rest, 0, all, 2, rest.length);
        return all;
    }
}
