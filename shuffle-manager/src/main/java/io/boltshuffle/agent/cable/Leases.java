package io.boltshuffle.agent.cable;

import io.boltshuffle.rdma.memory.Lease;

/** Giving leases back. */
public final class Leases {

    private Leases() {}

    /**
     * Ends the owner's use of a lease. A link may have put it into quarantine, which it may do at any time, on its own
     * thread: then the memory is the pool's again when the quarantine ends.
     */
    public static void giveBack(Lease lease) {
        lease.release();
    }
}
