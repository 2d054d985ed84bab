package io.boltshuffle.client;

import io.boltshuffle.rdma.memory.Slab;
import io.boltshuffle.rdma.memory.SlabDescriptor;
import io.boltshuffle.rdma.memory.SlabLocation;
import io.boltshuffle.testing.KeptFrames;
import io.boltshuffle.testing.SimLoop;
import io.boltshuffle.wire.AgentMessage;
import io.boltshuffle.wire.Registration;
import io.boltshuffle.wire.Secret;
import io.boltshuffle.wire.SlabFacts;
import io.boltshuffle.wire.WireException;
import io.boltshuffle.wire.WireLimits;
import java.nio.ByteBuffer;
import java.util.List;

/** An executor's session with an agent whose part a test plays, for tests of other packages. It is ready at once. */
public final class SimSession {

    private final SimLoop loop = new SimLoop();
    private final KeptFrames sent = new KeptFrames();
    private final AgentSession session = new AgentSession(
            loop,
            new Registration("app-1", "2", List.of(), 1, "sort", Secret.of(new byte[] {1})),
            new Unheard(),
            new ClientCounters(),
            SimLoop.NEVER.multipliedBy(8).toNanos());

    /** @param slab the agent's */
    public SimSession(Slab slab) throws WireException {
        session.start(sent);
        SlabDescriptor memory = slab.descriptor();
        hear(frame(new AgentMessage.Welcome(
                WireLimits.SESSION_VERSION,
                "host",
                1,
                new SlabFacts(
                        memory.location().kind() == SlabLocation.Kind.POSIX_SHARED_MEMORY,
                        memory.location().name(),
                        memory.bytes(),
                        memory.identityHigh(),
                        memory.identityLow()))));
        hear(frame(new AgentMessage.Registered()));
        sent.close();
    }

    /** Returns a message as a session's socket delivers it. */
    public static ByteBuffer frame(AgentMessage message) {
        ByteBuffer frame = AgentMessage.CODEC.encode(message);
        frame.getInt();
        return frame;
    }

    public void fetch(FetchRequest request, FetchListener listener) {
        session.fetch(request, SimLoop.NEVER.toNanos(), listener);
    }

    public void hear(ByteBuffer frame) throws WireException {
        session.onFrame(frame);
    }

    /** Runs what waits for the session's loop. */
    public void runTasks() {
        while (loop.hasTask()) {
            loop.runTask();
        }
    }

    /** Returns what the session said since its greeting. */
    public KeptFrames sent() {
        return sent;
    }
}
