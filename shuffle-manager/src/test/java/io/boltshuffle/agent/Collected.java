package io.boltshuffle.agent;

import io.boltshuffle.client.AgentClient;
import io.boltshuffle.client.FetchListener;
import io.boltshuffle.client.FetchRequest;
import io.boltshuffle.client.FetchedBytes;
import io.boltshuffle.wire.BlockRange;
import io.boltshuffle.wire.BlockSlice;
import io.boltshuffle.wire.FailureReason;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Collects what a fetch brings. */
final class Collected implements FetchListener {

    private final boolean keep;
    private final CountDownLatch open;
    private final Map<Integer, ByteArrayOutputStream> bytes = new ConcurrentHashMap<>();
    private final Map<Integer, FailureReason> failures = new ConcurrentHashMap<>();
    private final List<FetchedBytes> held = new ArrayList<>();
    private int slices;

    /** @param keep whether the bytes are held until {@link #releaseAll} */
    Collected(int blocks, boolean keep) {
        this.keep = keep;
        this.open = new CountDownLatch(blocks);
    }

    /** Begins to fetch blocks of the executor "1" on {@link TwoAgents#SERVER}. */
    static Collected fetch(AgentClient reader, List<BlockRange> blocks, boolean keep) {
        Collected collected = new Collected(blocks.size(), keep);
        reader.fetch(new FetchRequest(TwoAgents.SERVER, "1", 7, blocks), collected);
        return collected;
    }

    @Override
    public synchronized void onSlice(BlockSlice slice, FetchedBytes fetched) {
        slices++;
        ByteBuffer buffer = fetched.buffer();
        byte[] copy = new byte[buffer.remaining()];
        buffer.get(copy);
        bytes.computeIfAbsent(slice.blockIndex(), key -> new ByteArrayOutputStream())
                .writeBytes(copy);
        if (keep) {
            held.add(fetched);
        } else {
            fetched.release();
        }
        if (slice.isLast()) {
            open.countDown();
        }
    }

    @Override
    public void onFailed(int blockIndex, FailureReason reason, String detail) {
        FailureReason before = failures.put(blockIndex, reason);
        if (before != null) {
            throw new IllegalStateException("block " + blockIndex + " failed twice");
        }
        open.countDown();
    }

    /** Waits until every block ended. */
    Collected await() throws InterruptedException {
        if (!open.await(20, TimeUnit.SECONDS)) {
            throw new AssertionError(open.getCount() + " blocks did not end; failed: " + failures);
        }
        return this;
    }

    boolean isOver() {
        return open.getCount() == 0;
    }

    byte[] block(int index) {
        ByteArrayOutputStream collected = bytes.get(index);
        if (collected == null) {
            throw new AssertionError("block " + index + " did not come; failed: " + failures);
        }
        return collected.toByteArray();
    }

    Map<Integer, FailureReason> failures() {
        return failures;
    }

    synchronized int slices() {
        return slices;
    }

    synchronized void releaseAll() {
        held.forEach(FetchedBytes::release);
        held.clear();
    }
}
