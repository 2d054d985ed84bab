package io.boltshuffle.client;

import io.boltshuffle.loop.Loop;
import io.boltshuffle.wire.BlockSlice;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.FetchDeadline;
import io.boltshuffle.wire.WireException;
import java.util.BitSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Represents a fetch that the agent works on.
 *
 * <p><b>Invariant:</b> the listener hears the end of each block once, whatever the agent sends or fails to send.
 *
 * <p><b>Threads:</b> confined to the client's loop.
 */
final class PendingFetch {

    private static final Logger LOG = LoggerFactory.getLogger(PendingFetch.class);

    private final FetchListener listener;
    private final int blockCount;
    private final BitSet ended;
    private final Watch watch;
    private int partialBlock = -1;
    private long partialBytes;

    /** Gives the fetch up when its deadline and some grace are over. Each part that arrives moves the deadline on. */
    static final class Watch {
        private final Loop loop;
        private final FetchDeadline deadline;
        private final long graceNanos;
        private final Runnable onOver;
        private Loop.Timer timer;
        private boolean ended;

        Watch(Loop loop, FetchDeadline deadline, long graceNanos, Runnable onOver) {
            this.loop = loop;
            this.deadline = deadline;
            this.graceNanos = graceNanos;
            this.onOver = onOver;
            this.timer = timer();
        }

        private Loop.Timer timer() {
            return loop.after(deadline.nanos() - loop.nanoTime() + graceNanos, onOver);
        }

        void progress(long bytes) {
            if (!ended) {
                deadline.progress(loop.nanoTime(), bytes);
                timer.cancel();
                timer = timer();
            }
        }

        void end() {
            ended = true;
            timer.cancel();
        }
    }

    PendingFetch(FetchListener listener, int blockCount, Watch watch) {
        this.listener = listener;
        this.blockCount = blockCount;
        this.ended = new BitSet(blockCount);
        this.watch = watch;
    }

    /** Tells the watch that the agent reported on this fetch. */
    void progress(long bytes) {
        watch.progress(bytes);
    }

    /**
     * Takes a slice. If the listener breaks with the last one of a block, the block has not ended: its reader may not
     * have heard of it, and hears of its failure as the fetch ends.
     *
     * @throws WireException if the slice does not continue the earlier ones; the bytes then still belong to the caller
     */
    void onSlice(BlockSlice slice, FetchedBytes bytes) throws WireException {
        int block = slice.blockIndex();
        long expected = block == partialBlock ? partialBytes : 0;
        if (block >= blockCount || ended.get(block) || slice.blockOffset() != expected || slice.bytes() == 0) {
            throw new WireException("slice " + slice + " was not to come");
        }
        if (!slice.isLast()) {
            partialBlock = block;
            partialBytes = slice.blockOffset() + slice.bytes();
        }
        listener.onSlice(slice, bytes);
        if (slice.isLast()) {
            ended.set(block);
        }
    }

    /**
     * Takes the failure of a block.
     *
     * @throws WireException if the block has ended, or was never requested
     */
    void onBlockFailed(int block, FailureReason reason, String detail) throws WireException {
        if (block >= blockCount || ended.get(block)) {
            throw new WireException("block " + block + " ended before it failed");
        }
        listener.onFailed(block, reason, detail);
        ended.set(block);
    }

    boolean isComplete() {
        return ended.cardinality() == blockCount;
    }

    /** Fails every block that has not ended. A listener that throws for one of them hears of the others. */
    void failRest(FailureReason reason, String detail) {
        watch.end();
        for (int block = ended.nextClearBit(0); block < blockCount; block = ended.nextClearBit(block + 1)) {
            ended.set(block);
            try {
                listener.onFailed(block, reason, detail);
            } catch (RuntimeException | Error e) {
                LOG.error("a listener broke; it hears of its other blocks all the same", e);
            }
        }
    }

    void done() {
        watch.end();
    }
}
