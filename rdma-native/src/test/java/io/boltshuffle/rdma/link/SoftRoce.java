package io.boltshuffle.rdma.link;

import io.boltshuffle.rdma.verbs.JnaVerbsProvider;
import java.time.Duration;

/**
 * The two hosts of the lab's guest: a kernel's own verbs stack, {@code rdma_rxe}, at both ends of a virtual Ethernet
 * cable. See {@code bolt lab}.
 */
final class SoftRoce {

    private SoftRoce() {}

    static LinkHost open(int side, LinkMode mode, long slabBytes) throws Exception {
        // The guest is small, and the memory of a slab that was closed comes back when the last view of it is
        // collected.
        System.gc();
        JnaVerbsProvider provider = JnaVerbsProvider.ofThisHost().withControlTimeout(Duration.ofSeconds(60));
        return new LinkHost("soft-roce-" + side, provider, "rdma_en" + (5 + side), mode, slabBytes);
    }
}
