package io.boltshuffle.agent.fetch;

import io.boltshuffle.conf.Options;
import io.boltshuffle.loop.Loop;
import io.boltshuffle.rdma.memory.Lease;
import io.boltshuffle.wire.BlockFailure;
import io.boltshuffle.wire.BlockRange;
import io.boltshuffle.wire.BlockSlice;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.FetchDeadline;
import io.boltshuffle.wire.LiveBlock;
import io.boltshuffle.wire.PullRequest;
import io.boltshuffle.wire.SlabShares;
import io.boltshuffle.wire.WireLimits;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One fetch under way: a sequence of pulls, each of a window, of which the next is staged while one moves.
 *
 * <p><b>Invariant:</b> the receiver gets blocks in order, and one end unless it calls the fetch off. The deadline,
 * which moves on with what comes, ends it whatever else happens.
 *
 * <p><b>Threads:</b> confined to the agent's loop.
 */
final class FetchRun {

    /** One that moves, and one that is being staged meanwhile. */
    private static final int MAX_PULLS = 2;

    /** This part of the blocks comes ahead of the others where a task has nothing to read yet, and so waits for any. */
    private static final int AHEAD = 4;

    private final PullClient client;
    private final FetchOrder order;
    private final FetchReceiver receiver;
    private final FetchDeadline deadline;
    private Loop.Timer timer;
    private final Deque<PullRun> pulls = new ArrayDeque<>();
    private int nextBlock;
    private long nextOffset;
    private boolean over;
    private boolean late;
    private boolean heard;

    FetchRun(PullClient client, FetchOrder order, FetchReceiver receiver) {
        this.client = client;
        this.order = order;
        this.receiver = receiver;
        this.deadline = order.deadline();
        this.timer = timer();
    }

    private Loop.Timer timer() {
        return loop().after(deadline.nanos() - loop().nanoTime(), this::onDeadline);
    }

    private Loop loop() {
        return client.services().loop();
    }

    private void onDeadline() {
        late = true;
        fail(
                FailureReason.DEADLINE,
                "nothing more of it came in " + TimeUnit.NANOSECONDS.toMillis(order.timeoutNanos())
                        + " ms, or too little altogether");
    }

    /** Moves the deadline by the bytes that were handed over; the executor counts by the same bytes. */
    private void progress(long bytes) {
        if (!over) {
            deadline.progress(loop().nanoTime(), bytes);
            timer.cancel();
            timer = timer();
        }
    }

    void begin() {
        askNext();
    }

    FetchOrder order() {
        return order;
    }

    /** The peer said something of it. */
    void heard() {
        heard = true;
    }

    boolean isHeard() {
        return heard;
    }

    /** The newest pull's answer has been seen, so it is known where the next one starts. */
    void onAnswered(int endBlock, long offset) {
        nextBlock = endBlock;
        nextOffset = offset;
        askNext();
    }

    /** Some pull moved; those at the head that did are handed over. */
    void onMoved() {
        while (!over && !pulls.isEmpty() && pulls.element().isMoved()) {
            pulls.remove().deliver();
        }
        if (!over && nextBlock < order.blocks().size()) {
            askNext();
        } else if (!over && pulls.isEmpty()) {
            end();
            receiver.onDone();
        }
    }

    void deliver(Lease lease, List<BlockSlice> slices) {
        long bytes = slices.stream().mapToLong(BlockSlice::bytes).sum();
        int blocks = (int) slices.stream().filter(BlockSlice::isLast).count();
        client.services().counters().fetched(blocks, bytes);
        progress(bytes);
        receiver.onBlocks(lease, slices);
    }

    void deliverFailures(List<BlockFailure> failures, String detail) {
        progress(0);
        receiver.onBlockFailures(failures, detail);
    }

    void fail(FailureReason reason, String detail) {
        if (!over) {
            cancel();
            receiver.onFailed(reason, detail);
        }
    }

    /** The receiver is gone, and is not told. */
    void cancel() {
        if (!over) {
            end();
            pulls.forEach(PullRun::abort);
            pulls.clear();
        }
    }

    private void askNext() {
        boolean newestAnswered = pulls.isEmpty() || pulls.getLast().isAnswered();
        if (over
                || pulls.size() >= MAX_PULLS
                || !newestAnswered
                || nextBlock == order.blocks().size()) {
            return;
        }
        int end = Math.min(order.blocks().size(), nextBlock + mostBlocks());
        List<BlockRange> blocks = order.blocks().subList(nextBlock, end);
        PullRequest request = new PullRequest(
                order.application(),
                order.executor(),
                Math.min(WireLimits.MAX_TIMEOUT_MILLIS, TimeUnit.NANOSECONDS.toMillis(longestNanos())),
                windowBytes(),
                nextOffset,
                blocks);
        pulls.add(client.ask(this, nextBlock, request));
    }

    /** A block in an owner's memory comes as a whole: before its next part was asked for, it could be another one. */
    private long windowBytes() {
        return isLive()
                ? new SlabShares(client.services().pool().slab().bytes()).largestLiveBlock()
                : client.services().settings().get(Options.FETCH_WINDOW);
    }

    private boolean isLive() {
        return LiveBlock.isNamedBy(order.blocks().get(nextBlock));
    }

    /**
     * Returns how long the next pull may take: until the fetch is over, or, behind another, until that has come and
     * then as long again.
     */
    private long longestNanos() {
        long left = Math.max(0, deadline.nanos() - loop().nanoTime());
        return pulls.isEmpty() ? left : left + order.timeoutNanos();
    }

    private int mostBlocks() {
        if (isLive()) {
            return 1;
        }
        boolean first = nextBlock == 0 && nextOffset == 0;
        return first && client.isWaitedFor(this)
                ? Math.min((order.blocks().size() + AHEAD - 1) / AHEAD, WireLimits.MAX_BLOCKS)
                : WireLimits.MAX_BLOCKS;
    }

    private void end() {
        over = true;
        timer.cancel();
        client.ended(this, late);
    }
}
