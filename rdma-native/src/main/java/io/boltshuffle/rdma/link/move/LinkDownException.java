package io.boltshuffle.rdma.link.move;

import io.boltshuffle.rdma.link.LinkFailure;
import io.boltshuffle.rdma.link.LinkFailure.Reason;

/** An event after which the link cannot go on. Caught in one place, which takes the link down. */
public final class LinkDownException extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient LinkFailure failure;

    public LinkDownException(Reason reason, String message) {
        super(message);
        this.failure = LinkFailure.of(reason, message);
    }

    public LinkDownException(Reason reason, String message, Throwable cause) {
        super(message, cause);
        this.failure = LinkFailure.of(reason, message, cause);
    }

    public LinkFailure failure() {
        return failure;
    }
}
