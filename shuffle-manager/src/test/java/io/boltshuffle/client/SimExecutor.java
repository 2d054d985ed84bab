package io.boltshuffle.client;

import io.boltshuffle.testing.SimLoop;
import io.boltshuffle.testing.SimPipe;
import io.boltshuffle.wire.BlockSlice;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.Registration;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ObjIntConsumer;

/**
 * The executor's side of one fetch: a real session, and a task that holds what it was given until it is told to let go.
 */
public final class SimExecutor implements FetchListener {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final SimLoop loop = new SimLoop();
    private final SimPipe pipe;
    private final AgentSession session;
    private final ObjIntConsumer<ByteBuffer> content;
    private final List<Held> held = new ArrayList<>();
    private int[] endings = new int[0];

    private record Held(BlockSlice slice, FetchedBytes bytes) {}

    /** @param content asserts that bytes are those of a block */
    public SimExecutor(Registration registration, SimPipe pipe, ObjIntConsumer<ByteBuffer> content) {
        this.pipe = pipe;
        this.content = content;
        this.session = new AgentSession(
                loop,
                registration,
                new Unheard(),
                new ClientCounters(),
                SimLoop.NEVER.multipliedBy(8).toNanos());
        pipe.listener(session);
    }

    public void connect() {
        session.start(pipe);
    }

    public void fetch(FetchRequest request) {
        endings = new int[request.blocks().size()];
        session.fetch(request, TIMEOUT.toNanos(), this);
    }

    /** The executor stops: it gives the session up, and its tasks read on. */
    public void stop() {
        session.abandon(FailureReason.STOPPING, "the executor stops");
    }

    public SimLoop loop() {
        return loop;
    }

    @Override
    public void onSlice(BlockSlice slice, FetchedBytes bytes) {
        held.add(new Held(slice, bytes));
        if (slice.isLast()) {
            end(slice.blockIndex());
        }
    }

    @Override
    public void onFailed(int blockIndex, FailureReason reason, String detail) {
        end(blockIndex);
    }

    private void end(int block) {
        endings[block]++;
        if (endings[block] > 1) {
            throw new AssertionError("block " + block + " ended twice");
        }
    }

    public int holds() {
        return held.size();
    }

    /** Nothing else comes to this loop by tasks, so that it makes no difference when they run. */
    public void letGo(int index) {
        held.remove(index).bytes().release();
        while (loop.hasTask()) {
            loop.runTask();
        }
    }

    /** Asserts that the bytes read now are those that were delivered. */
    public void assertIntact() {
        held.forEach(each -> content.accept(each.bytes().buffer(), each.slice().blockIndex()));
    }

    public void assertEveryBlockEnded() {
        for (int block = 0; block < endings.length; block++) {
            if (endings[block] != 1) {
                throw new AssertionError("block " + block + " ended " + endings[block] + " times");
            }
        }
    }
}
