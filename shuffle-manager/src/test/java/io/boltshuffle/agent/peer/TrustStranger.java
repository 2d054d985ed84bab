package io.boltshuffle.agent.peer;

import io.boltshuffle.agent.base.RefusedException;
import io.boltshuffle.loop.FrameListener;
import io.boltshuffle.testing.SimPipe;
import io.boltshuffle.wire.BlockRange;
import io.boltshuffle.wire.ControlMessage;
import io.boltshuffle.wire.Opaque;
import io.boltshuffle.wire.PortName;
import io.boltshuffle.wire.PullRequest;
import io.boltshuffle.wire.Secret;
import io.boltshuffle.wire.WireException;
import io.boltshuffle.wire.WireLimits;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** A program that takes the name of an agent, and pretends to be it in one of several ways. */
final class TrustStranger implements FrameListener, TrustWorld.Party {

    private static final PortName PORT = new PortName("rdma_en0", 1);

    enum Way {
        /** It says its name, and nothing more. */
        SAYS_ITS_NAME,
        /** It proves something that is no proof. */
        GUESSES,
        /** It says again what the agent whose name it bears proved last, or sends back what it just heard. */
        REPLAYS,
        /** It begins with what comes after proofs. */
        SKIPS_PROOF,
        /** It proves the second application, and then asks for the first one's blocks. */
        PROVES_ANOTHER,
        /** The same, and it says to be another process than the agent whose name it bears. */
        PROVES_ANOTHER_IN_A_NEW_PROCESS;

        boolean provesAnother() {
            return this == PROVES_ANOTHER || this == PROVES_ANOTHER_IN_A_NEW_PROCESS;
        }
    }

    private static final long NEW_PROCESS = 77;

    private final Way way;
    private final SimPipe pipe;
    private final Handshake.End end;
    private final Handshake handshake;
    private final List<Opaque> overheard;

    /** @param overheard proofs that were made on other connections */
    TrustStranger(Way way, AgentIdentity claimed, SimPipe pipe, Handshake.End end, List<Opaque> overheard) {
        this.way = way;
        this.pipe = pipe;
        this.end = end;
        this.overheard = overheard;
        AgentIdentity identity =
                way == Way.PROVES_ANOTHER_IN_A_NEW_PROCESS ? new AgentIdentity(claimed.host(), NEW_PROCESS) : claimed;
        this.handshake =
                new Handshake(identity, Secret.NONE, end, new Random(way.name().hashCode()));
        pipe.listener(this);
    }

    void start() {
        say(handshake.hello());
        if (way == Way.SKIPS_PROOF && end == Handshake.End.DIALER) {
            skip();
        }
    }

    @Override
    public Set<TrustWorld.Known> known() {
        return way.provesAnother() ? Set.of(TrustWorld.SECOND) : Set.of();
    }

    @Override
    public void onFrame(ByteBuffer frame) throws WireException {
        ControlMessage message = ControlMessage.CODEC.decode(frame);
        if (message instanceof ControlMessage.Hello hello) {
            onHello(hello);
        } else if (message instanceof ControlMessage.ApplicationProofs proofs) {
            answer(proofs.macs());
        } else if (message instanceof ControlMessage.ApplicationAnswers || message instanceof ControlMessage.Ports) {
            say(new ControlMessage.Pull(
                    1,
                    new PullRequest(
                            TrustWorld.FIRST.application(),
                            "1",
                            1000,
                            1 << 20,
                            0,
                            List.of(new BlockRange(0, 0, 0, 1)))));
        }
    }

    @Override
    public void onGarbage(WireException cause) {
        throw new AssertionError("an agent broke the protocol", cause);
    }

    @Override
    public void onClosed(String why) {
        // It expected no better.
    }

    private void onHello(ControlMessage.Hello hello) {
        try {
            handshake.onHello(hello);
        } catch (RefusedException e) {
            throw new AssertionError(e);
        }
        if (way == Way.GUESSES) {
            say(new ControlMessage.ApplicationProofs(List.of(guess())));
        } else if (way == Way.REPLAYS) {
            say(new ControlMessage.ApplicationProofs(overheard));
        } else if (way.provesAnother()) {
            say(new ControlMessage.ApplicationProofs(List.of(proof())));
        }
    }

    private void answer(List<Opaque> macs) {
        switch (way) {
            case SAYS_ITS_NAME -> {
                // Silent from now on.
            }
            case GUESSES -> say(new ControlMessage.ApplicationAnswers(List.of(guess()), List.of()));
            case REPLAYS -> say(new ControlMessage.ApplicationAnswers(macs, List.of()));
            case SKIPS_PROOF -> skip();
            case PROVES_ANOTHER, PROVES_ANOTHER_IN_A_NEW_PROCESS ->
                say(new ControlMessage.ApplicationAnswers(List.of(proof()), List.of()));
        }
    }

    private void skip() {
        say(new ControlMessage.Ports(List.of()));
        say(new ControlMessage.LinkStart(1, PORT, PORT));
    }

    private Opaque proof() {
        return handshake.proveApplication(TrustWorld.SECOND.application(), TrustWorld.SECOND.secret());
    }

    private static Opaque guess() {
        return Opaque.of(new byte[WireLimits.MAC_BYTES]);
    }

    private void say(ControlMessage message) {
        pipe.send(ControlMessage.CODEC.encode(message));
    }
}
