package io.boltshuffle.agent;

import io.boltshuffle.conf.Options;
import io.boltshuffle.loop.Loop;
import io.boltshuffle.rdma.memory.Lease;
import io.boltshuffle.wire.BlockFailure;
import io.boltshuffle.wire.BlockRange;
import io.boltshuffle.wire.BlockSlice;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.PullRequest;
import io.boltshuffle.wire.WireLimits;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One fetch under way: a sequence of pulls, each of a window, of which the next is staged while one moves.
 *
 * <p><b>Invariant:</b> the receiver gets blocks in order, and one end unless it calls the fetch off. The deadline ends it whatever else happens.
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
    private final Loop.Timer deadline;
    private final Deque<PullRun> pulls = new ArrayDeque<>();
    private int nextBlock;
    private long nextOffset;
    private boolean over;

    FetchRun(PullClient client, FetchOrder order, FetchReceiver receiver) {
        this.client = client;
        this.order = order;
        this.receiver = receiver;
        Loop loop = client.services().loop();
        this.deadline = loop.after(
                order.deadlineNanos() - loop.nanoTime(), () -> fail(FailureReason.DEADLINE, "not here in time"));
    }

    void begin() {
        askNext();
    }

    FetchOrder order() {
        return order;
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
        receiver.onBlocks(lease, slices);
    }

    void deliverFailures(List<BlockFailure> failures, String detail) {
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
        long leftNanos =
                Math.max(0, order.deadlineNanos() - client.services().loop().nanoTime());
        PullRequest request = new PullRequest(
                order.application(),
                order.executor(),
                TimeUnit.NANOSECONDS.toMillis(leftNanos),
                client.services().settings().get(Options.FETCH_WINDOW),
                nextOffset,
                blocks);
        pulls.add(client.ask(this, nextBlock, request));
    }

    private int mostBlocks() {
        boolean first = nextBlock == 0 && nextOffset == 0;
        return first && client.isWaitedFor(this)
                ? Math.min((order.blocks().size() + AHEAD - 1) / AHEAD, WireLimits.MAX_BLOCKS)
                : WireLimits.MAX_BLOCKS;
    }

    private void end() {
        over = true;
        deadline.cancel();
        client.ended(this);
    }
}
