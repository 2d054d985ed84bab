package io.boltshuffle.rdma.link;

/** The life of a link. {@link #mayBecome} is the whole transition table. */
public enum LinkState {
    /** Built, not started. */
    IDLE,
    /** Making the queue pair and exchanging what the peer must know of it. */
    EXCHANGING,
    /** Moving the queue pair to RTS, and waiting for the peer to have done so. */
    CONNECTING,
    /** Measuring message sizes and depths under checksums, first one direction, then the other. */
    CALIBRATING,
    /** Carries transfers. */
    UP,
    /** Takes no new transfer; those under way end. */
    DRAINING,
    /** Destroying the queue pair. Nothing is posted or polled any more. */
    CLOSING,
    /** Ended as asked. Nothing is held. */
    CLOSED,
    /** Ended by a {@link LinkFailure}. What could not be shown safe is quarantined. */
    FAILED;

    public boolean mayBecome(LinkState next) {
        return switch (this) {
            case IDLE -> next == EXCHANGING;
            case EXCHANGING -> next == CONNECTING || next == CLOSING;
            case CONNECTING -> next == CALIBRATING || next == CLOSING;
            case CALIBRATING -> next == UP || next == CLOSING;
            case UP -> next == DRAINING || next == CLOSING;
            case DRAINING -> next == CLOSING;
            case CLOSING -> next == CLOSED || next == FAILED;
            case CLOSED, FAILED -> false;
        };
    }

    /** True once the link is over and its memory is settled. */
    public boolean isFinal() {
        return this == CLOSED || this == FAILED;
    }
}
