package io.boltshuffle.agent.fetch;

import io.boltshuffle.conf.Options;
import io.boltshuffle.loop.Loop;
import io.boltshuffle.rdma.memory.Lease;
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
import java.util.function.Consumer;

/**
 * One fetch under way: a sequence of pulls, each of a window, of which the next is staged while one moves.
 *
 * <p><b>Invariant:</b> the receiver gets blocks in order, and one end unless it calls the fetch off. The deadline,
 * which moves on with what comes, ends it whatever else happens.
 *
 * <p><b>Threads:</b> confined to the agent's loop.
 */
final class FetchRun implements PullRun.Listener {

    /** One that moves, and one that is being staged meanwhile. */
    private static final int MAX_PULLS = 2;

    /** This part of the blocks comes ahead of the others where a task has nothing to read yet, and so waits for any. */
    private static final int AHEAD = 4;

    private final PullServices services;
    private final AskedPeer peer;
    private final FetchOrder order;
    private final FetchReceiver receiver;
    private final Consumer<FetchRun> onOver;
    private final FetchDeadline deadline;
    private Loop.Timer timer;
    private final Deque<PullRun> pulls = new ArrayDeque<>();
    private int nextBlock;
    private long nextOffset;
    private boolean over;
    private boolean heard;

    /** @param onOver told once, however the fetch ends, before the receiver is */
    FetchRun(
            PullServices services,
            AskedPeer peer,
            FetchOrder order,
            FetchReceiver receiver,
            Consumer<FetchRun> onOver) {
        this.services = services;
        this.peer = peer;
        this.order = order;
        this.receiver = receiver;
        this.onOver = onOver;
        this.deadline = order.deadline();
        this.timer = timer();
    }

    private Loop.Timer timer() {
        return services.loop().after(deadline.nanos() - services.loop().nanoTime(), this::onDeadline);
    }

    private void onDeadline() {
        fail(
                FailureReason.DEADLINE,
                "nothing more of it came in " + TimeUnit.NANOSECONDS.toMillis(order.timeoutNanos())
                        + " ms, or too little altogether",
                /* isLate= */ true);
    }

    /** Moves the deadline by the bytes that were handed over; the executor counts by the same bytes. */
    private void progress(long bytes) {
        if (!over) {
            deadline.progress(services.loop().nanoTime(), bytes);
            timer.cancel();
            timer = timer();
        }
    }

    /** @param isWaitedFor whether its task has nothing to read until blocks of this fetch come */
    void start(boolean isWaitedFor) {
        int part = (order.blocks().size() + AHEAD - 1) / AHEAD;
        askNext(isWaitedFor ? Math.min(part, WireLimits.MAX_BLOCKS) : WireLimits.MAX_BLOCKS);
    }

    FetchOrder order() {
        return order;
    }

    @Override
    public void onHeard() {
        heard = true;
        peer.silent().heard(order);
    }

    @Override
    public void onAnswered(int endBlock, long offset) {
        nextBlock = endBlock;
        nextOffset = offset;
        askNext(WireLimits.MAX_BLOCKS);
    }

    /** Some pull moved; those at the head that did are handed over. */
    @Override
    public void onMoved() {
        while (!over && !pulls.isEmpty() && pulls.element().isMoved()) {
            deliver(pulls.remove().take());
        }
        if (!over && nextBlock < order.blocks().size()) {
            askNext(WireLimits.MAX_BLOCKS);
        } else if (!over && pulls.isEmpty()) {
            end(/* isLate= */ false);
            receiver.onDone();
        }
    }

    /** Hands over what came, then says what did not. */
    private void deliver(PullRun.Moved moved) {
        Lease lease = moved.lease();
        if (lease != null) {
            long bytes = moved.slices().stream().mapToLong(BlockSlice::bytes).sum();
            int blocks =
                    (int) moved.slices().stream().filter(BlockSlice::isLast).count();
            services.counters().fetched(blocks, bytes);
            progress(bytes);
            receiver.onBlocks(lease, moved.slices());
        }
        if (!moved.failures().isEmpty()) {
            progress(0);
            receiver.onBlockFailures(moved.failures(), moved.detail());
        }
    }

    @Override
    public void onFailed(FailureReason reason, String detail) {
        fail(reason, detail, /* isLate= */ false);
    }

    private void fail(FailureReason reason, String detail, boolean isLate) {
        if (!over) {
            abort(isLate);
            receiver.onFailed(reason, detail);
        }
    }

    /** The receiver is gone, and is not told. */
    void cancel() {
        if (!over) {
            abort(/* isLate= */ false);
        }
    }

    private void abort(boolean isLate) {
        end(isLate);
        pulls.forEach(PullRun::abort);
        pulls.clear();
    }

    private void askNext(int mostBlocks) {
        boolean newestAnswered = pulls.isEmpty() || pulls.getLast().isAnswered();
        if (over
                || pulls.size() >= MAX_PULLS
                || !newestAnswered
                || nextBlock == order.blocks().size()) {
            return;
        }
        boolean isLive = LiveBlock.isNamedBy(order.blocks().get(nextBlock));
        int end = Math.min(order.blocks().size(), nextBlock + (isLive ? 1 : mostBlocks));
        List<BlockRange> blocks = order.blocks().subList(nextBlock, end);
        PullRequest request = new PullRequest(
                order.application(),
                order.executor(),
                Math.min(WireLimits.MAX_TIMEOUT_MILLIS, TimeUnit.NANOSECONDS.toMillis(longestNanos())),
                windowBytes(isLive),
                nextOffset,
                blocks);
        PullRun pull = new PullRun(services, peer, order.owner(), nextBlock, request, this);
        pulls.add(pull);
        pull.ask();
    }

    /** A block in an owner's memory comes as a whole: before its next part was asked for, it could be another one. */
    private long windowBytes(boolean isLive) {
        return isLive
                ? new SlabShares(services.pool().slab().bytes()).largestLiveBlock()
                : services.settings().get(Options.FETCH_WINDOW);
    }

    /**
     * Returns how long the next pull may take: until the fetch is over, or, behind another, until that has come and
     * then as long again.
     */
    private long longestNanos() {
        long left = Math.max(0, deadline.nanos() - services.loop().nanoTime());
        return pulls.isEmpty() ? left : left + order.timeoutNanos();
    }

    /** @param isLate whether its time is over, not that it was called off or its link failed */
    private void end(boolean isLate) {
        over = true;
        timer.cancel();
        onOver.accept(this);
        if (!heard && isLate) {
            peer.silent().silent(order, services.loop().nanoTime());
        } else if (!heard) {
            peer.silent().calledOff(order);
        }
    }
}
