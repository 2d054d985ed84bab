package io.boltshuffle.agent.serve;

import io.boltshuffle.loop.Loop;
import io.boltshuffle.rdma.memory.LeaseState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Staging memory of one peer's session that the peer may read and that no pull uses now, kept for the next pull:
 * registering memory takes longer than staging a small block.
 *
 * <p><b>Invariant:</b> an area serves one session only, and is deregistered before its memory goes back to the pool.
 * What is kept keeps its share of the staging budget, and is given up as soon as anybody waits for a share or for
 * memory.
 *
 * <p><b>Threads:</b> confined to the agent's loop, except {@link #take}, which readers call.
 */
final class StagingAreas implements StagingBudget.Saver {

    static final int MAX_IDLE = 8;

    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long LARGE_BYTES = 1L << 20;
    private static final long SMALLEST_BYTES = 16L << 10;

    private final Loop loop;
    private final StagingBudget budget;
    /** The kept areas, by size. Guarded by this. */
    private final List<StagingArea> idle = new ArrayList<>();

    private Loop.Timer idleTimer = () -> {};
    private boolean closed;

    StagingAreas(Loop loop, StagingBudget budget) {
        this.loop = loop;
        this.budget = budget;
        budget.add(this);
    }

    /** Returns how many bytes to lease for an area of {@code bytes}, so that it suits later pulls, too. */
    static long roundUp(long bytes) {
        return bytes <= LARGE_BYTES
                ? Math.max(SMALLEST_BYTES, Long.highestOneBit(2 * bytes - 1))
                : (bytes + LARGE_BYTES - 1) / LARGE_BYTES * LARGE_BYTES;
    }

    /** The smallest area that is kept and has room. */
    synchronized Optional<StagingArea> take(long bytes) {
        Optional<StagingArea> found = idle.stream()
                .filter(area -> area.bytes() >= bytes && area.lease().state() == LeaseState.HELD)
                .findFirst();
        found.ifPresent(idle::remove);
        return found;
    }

    /**
     * @param peerIsDone whether the peer said that it reads no more; if not, it must not find another pull's bytes
     *     there
     */
    void giveBack(StagingArea area, boolean peerIsDone) {
        if (!peerIsDone || !area.isOpen() || closed || budget.isShort()) {
            area.close();
            return;
        }
        keep(area).forEach(StagingArea::close);
        idleTimer.cancel();
        idleTimer = loop.after(IDLE_NANOS, this::save);
    }

    /** @return what there is no room for: the smallest, so that those stay that suit most pulls */
    private synchronized List<StagingArea> keep(StagingArea area) {
        idle.add(area);
        idle.sort(Comparator.comparingLong(StagingArea::bytes));
        return idle.size() > MAX_IDLE ? List.of(idle.remove(0)) : List.of();
    }

    private synchronized List<StagingArea> takeAll() {
        List<StagingArea> all = List.copyOf(idle);
        idle.clear();
        return all;
    }

    /** Gives up what is kept: somebody waits, or no pull came for a while. */
    @Override
    public void save() {
        takeAll().forEach(StagingArea::close);
    }

    /** The session is over. */
    void close() {
        closed = true;
        idleTimer.cancel();
        budget.remove(this);
        save();
    }
}
