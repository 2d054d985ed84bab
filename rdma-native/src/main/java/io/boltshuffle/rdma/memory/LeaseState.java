package io.boltshuffle.rdma.memory;

/** The states of a lease. */
public enum LeaseState {
    /** Its owner uses it; work may be posted. */
    HELD,
    /** The owner released it, but posted work may still touch the memory. */
    DRAINING,
    /** The memory is withdrawn, because it cannot be shown that posted work is over. */
    QUARANTINED,
    /** The memory belongs to the pool again. */
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
