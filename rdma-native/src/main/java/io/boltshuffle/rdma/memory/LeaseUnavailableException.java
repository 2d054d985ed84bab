package io.boltshuffle.rdma.memory;

/** The pool granted no lease. This is an ordinary answer: the caller uses TCP and counts the reason. */
public final class LeaseUnavailableException extends Exception {

    private static final long serialVersionUID = 1L;

    /** Says why there is no lease. */
    public enum Reason {
        /** The request exceeds the whole pool. */
        TOO_LARGE,
        /** The largest allowed number of requests is already waiting. */
        TOO_MANY_WAITERS,
        /** The deadline passed. */
        TIMED_OUT,
        /** The pool is closed. */
        CLOSED
    }

    LeaseUnavailableException(String message) {
        super(message);
    }
}
