package io.boltshuffle.rdma.memory;

/** The life of a lease. */
public enum LeaseState {
    /** Its owner uses it; work may be posted. */
    HELD,
    /** Released, but posted work may still touch the memory. */
    DRAINING,
    /** Withdrawn, because it cannot be shown that posted work is over. */
    QUARANTINED,
    /** The memory is the pool's again. */
    RETURNED;

    boolean mayBecome(LeaseState next) {
        return switch (this) {
            case HELD -> next != HELD;
            case DRAINING -> next == QUARANTINED || next == RETURNED;
            case QUARANTINED -> next != QUARANTINED;
            case RETURNED -> false;
        };
    }
}
