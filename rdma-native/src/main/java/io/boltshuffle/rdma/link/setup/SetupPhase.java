package io.boltshuffle.rdma.link.setup;

import io.boltshuffle.rdma.link.Candidate;
import io.boltshuffle.rdma.link.move.LinkDownException;
import io.boltshuffle.rdma.link.protocol.LinkMessage;
import org.jspecify.annotations.Nullable;

/**
 * A phase in a link's coming up. Each phase holds what is known in it, takes what can happen in it, and returns the
 * phase that follows, which is often itself.
 */
sealed interface SetupPhase permits Exchanging, Connecting, Calibrating, Settled {

    /** The speed that the link assumes of a cable before it has measured anything. */
    double TYPICAL_GIGABYTES_PER_SECOND = 6;

    /** The queue pair is in INIT. */
    default SetupPhase prepared(LocalPattern own) throws LinkDownException {
        throw new IllegalStateException("a queue pair was made in phase " + this);
    }

    /** The queue pair is in RTS. */
    default SetupPhase connected() throws LinkDownException {
        throw new IllegalStateException("a queue pair was connected in phase " + this);
    }

    /** The peer said something. Null if that has no place in this phase. */
    @Nullable SetupPhase message(LinkMessage message) throws LinkDownException;

    /** Goes on after each poll while bytes move. */
    default SetupPhase advance() throws LinkDownException {
        return this;
    }

    /** True while a verbs call of this side is under way. */
    default boolean awaitsControl() {
        return false;
    }

    /** The candidate that is being measured, or null. */
    default @Nullable Candidate underTest() {
        return null;
    }

    default double gigabytesPerSecond() {
        return TYPICAL_GIGABYTES_PER_SECOND;
    }
}
