package io.boltshuffle.rdma.memory;

/** No lease was granted. An ordinary answer: the caller goes by TCP and counts the reason. */
public final class LeaseUnavailableException extends Exception {

    private static final long serialVersionUID = 1L;

    private final Reason reason;

    /** Why there is no lease. */
    public enum Reason {
        /** More than the pool has in all. */
        TOO_LARGE,
        /** As many requests as allowed are waiting already. */
        TOO_MANY_WAITERS,
        /** The deadline passed. */
        TIMED_OUT,
        /** The pool is closed. */
        CLOSED
    }

    LeaseUnavailableException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
