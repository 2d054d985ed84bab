package io.boltshuffle.agent;

import io.boltshuffle.rdma.memory.Lease;
import io.boltshuffle.rdma.memory.LeaseState;

/** Giving leases back. */
final class Leases {

    private Leases() {}

    /** Releases a lease unless a link put it into quarantine, which it may do at any time, on its own thread. */
    static void giveBack(Lease lease) {
        try {
            lease.release();
        } catch (IllegalStateException e) {
            if (lease.state() != LeaseState.QUARANTINED) {
                throw e;
            }
        }
    }
}
