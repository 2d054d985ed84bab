package io.boltshuffle.agent;

import io.boltshuffle.rdma.memory.Lease;

/** Giving leases back. */
final class Leases {

    private Leases() {}

    /**
     * Ends the owner's use of a lease. A link may have put it into quarantine, which it may do at any time, on its own
     * thread: then the memory is the pool's again when the quarantine ends.
     */
    static void giveBack(Lease lease) {
        lease.release();
    }
}
