package io.boltshuffle.rdma.memory;

/**
 * A line of the ledger's history.
 *
 * @param nanos the time, by the pool's clock
 * @param thread name of the thread that acted
 * @param detail reason or numbers, may be empty
 */
public record LeaseEvent(long nanos, long leaseId, Kind kind, LeaseOwner owner, String thread, String detail) {

    /** An event in the life of a lease. */
    public enum Kind {
        GRANTED,
        RELEASED_WITH_WORK_POSTED,
        QUARANTINED,
        QUEUE_PAIR_DESTROYED,
        RETURNED
    }
}
