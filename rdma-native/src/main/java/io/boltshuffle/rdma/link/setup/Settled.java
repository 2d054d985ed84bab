package io.boltshuffle.rdma.link.setup;

import io.boltshuffle.rdma.link.CalibrationResult;
import io.boltshuffle.rdma.link.Candidate;
import io.boltshuffle.rdma.link.protocol.LinkMessage;
import org.jspecify.annotations.Nullable;

/**
 * The link has been up: setting up is over.
 *
 * @param peerSession which the peer's offers carry
 * @param chosen what this end measured best
 */
public record Settled(long peerSession, CalibrationResult chosen) implements SetupPhase {

    /** Returns how this end wants its messages. */
    public Candidate receiving() {
        return chosen.candidate();
    }

    @Override
    public @Nullable SetupPhase message(LinkMessage message) {
        return null;
    }

    @Override
    public double gigabytesPerSecond() {
        return chosen.gigabytesPerSecond();
    }
}
