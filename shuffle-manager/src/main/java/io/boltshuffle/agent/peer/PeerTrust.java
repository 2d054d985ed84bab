package io.boltshuffle.agent.peer;

import java.util.EnumSet;
import java.util.Set;

/**
 * The proof that the other end of one control connection has given so far. {@link #mayBecome} is the whole transition
 * table.
 */
enum PeerTrust {
    /** It has not said its name. */
    STRANGER,
    /** It said a name, which proves nothing. It was told the name of this host. */
    GREETED,
    /** It proved the cluster's secret. It keeps its links whatever becomes of applications. */
    PROVEN_CLUSTER,
    /** It proved the secret of at least one application that is served here. */
    PROVEN_APPLICATION,
    /**
     * The last application that it proved is no longer served here. It keeps its links for a while: the next may begin.
     */
    LAPSED;

    boolean mayBecome(PeerTrust next) {
        return next().contains(next);
    }

    /** Returns whether the peer may be told of ports, and have links. */
    boolean mayLink() {
        return this != STRANGER && this != GREETED;
    }

    private Set<PeerTrust> next() {
        return switch (this) {
            case STRANGER -> EnumSet.of(GREETED);
            case GREETED -> EnumSet.of(PROVEN_CLUSTER, PROVEN_APPLICATION);
            case PROVEN_CLUSTER -> EnumSet.noneOf(PeerTrust.class);
            case PROVEN_APPLICATION -> EnumSet.of(LAPSED);
            case LAPSED -> EnumSet.of(PROVEN_APPLICATION);
        };
    }
}
