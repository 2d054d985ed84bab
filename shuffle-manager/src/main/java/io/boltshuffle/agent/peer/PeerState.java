package io.boltshuffle.agent.peer;

import java.util.EnumSet;
import java.util.Set;

/** The life of a peer, as this host sees it. {@link #mayBecome} is the whole transition table. */
enum PeerState {
    /** No executor asked for it yet, and there was no contact. */
    IDLE,
    /** Opening the control connection, or waiting for the one that the peer opened. */
    CONNECTING,
    /** Connected; no link is up yet. Fetches wait. */
    LINKING,
    /** At least one link is up. */
    UP,
    /** The peer cannot be reached by RDMA, and fetches are refused. The agent tries again by itself. */
    DOWN;

    /** Returns whether fetches may wait, until the deadline that is counted from when they began to. */
    boolean isFirstContact() {
        return this == CONNECTING || this == LINKING;
    }

    boolean mayBecome(PeerState next) {
        return next().contains(next);
    }

    private Set<PeerState> next() {
        return switch (this) {
            case IDLE -> EnumSet.of(CONNECTING, LINKING);
            case CONNECTING -> EnumSet.of(LINKING, DOWN, IDLE);
            case LINKING -> EnumSet.of(UP, DOWN, CONNECTING, LINKING);
            case UP -> EnumSet.of(DOWN, CONNECTING, LINKING);
            case DOWN -> EnumSet.of(CONNECTING, LINKING, UP, DOWN);
        };
    }
}
