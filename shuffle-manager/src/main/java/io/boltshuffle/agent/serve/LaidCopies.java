package io.boltshuffle.agent.serve;

import io.boltshuffle.agent.live.BlockOwner;
import io.boltshuffle.agent.live.LiveBlocks;
import io.boltshuffle.agent.live.LiveStatus;
import io.boltshuffle.loop.Loop;
import io.boltshuffle.rdma.memory.LeasePool;
import io.boltshuffle.wire.SlabShares;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The copies of blocks of this host's processes that pulls of all peers share. Pieces of broadcasts are kept a while
 * after the last pull let go, because tasks of other hosts may want them next; what is kept is given up as soon as
 * anything waits for memory, or finds none.
 *
 * <p><b>Invariant:</b> a copy is found only for the session of the process that laid it out, so that one that has the
 * same name later never answers with an earlier one's blocks.
 *
 * <p><b>Threads:</b> confined to the agent's loop.
 */
public final class LaidCopies implements StagingBudget.Saver {

    /** Tasks of a stage ask for a broadcast within moments of each other. */
    private static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(3);

    private final LeasePool pool;
    private final LiveBlocks live;
    private final StagingBudget budget;
    private final StagingMemory memory;
    private final KeptCopies<LaidCopy> kept;
    private final Map<LaidCopy.Key, LaidCopy> byKey = new HashMap<>();
    private final CopyEvents events = new CopyEvents();
    private long shared;
    private boolean closed;

    LaidCopies(Loop loop, LeasePool pool, LiveBlocks live, StagingBudget budget) {
        this.pool = pool;
        this.live = live;
        this.budget = budget;
        this.memory = new StagingMemory(loop, pool, budget);
        long keptBytes = new SlabShares(pool.slab().bytes()).keptForAskers();
        this.kept = new KeptCopies<>(loop, keptBytes, KEPT_NANOS, LaidCopy::end);
        pool.whenShort(budget::saveAll);
    }

    StagingMemory stagingMemory() {
        return memory;
    }

    /** Returns the copy to hold for a question: one that there is, or that is on its way, or a new one. */
    LaidCopy copyFor(LaidCopy.Question question, long deadlineNanos) {
        BlockOwner owner =
                live.owner(question.application(), question.executor()).orElse(null);
        LaidCopy.Key key = owner == null ? null : new LaidCopy.Key(owner, question.block());
        LaidCopy there = key == null ? null : byKey.get(key);
        if (there != null && there.answers(question)) {
            return there;
        }
        LaidCopy copy = new LaidCopy(events, memory, live, key, question, deadlineNanos);
        if (key != null) {
            byKey.put(key, copy);
        }
        return copy;
    }

    /** Handles what becomes of each copy. */
    private final class CopyEvents implements LaidCopy.Listener {
        @Override
        public void onHeldAgain(LaidCopy copy) {
            kept.take(copy);
            onShared(1);
        }

        @Override
        public void onShared(long pulls) {
            shared += pulls;
        }

        @Override
        public void onUnheld(LaidCopy copy) {
            if (closed || !copy.isWorthKeeping() || isShort()) {
                copy.end();
                return;
            }
            budget.add(LaidCopies.this);
            kept.keep(copy, copy.cost());
            if (isShort()) { // what had to go for it may have let another one try, and wait
                save();
            }
        }

        @Override
        public void onEnded(LaidCopy copy) {
            LaidCopy.Key key = copy.key();
            if (key != null) {
                byKey.remove(key, copy);
            }
        }
    }

    private boolean isShort() {
        return budget.isShort() || pool.isShort();
    }

    /** Gives up what is kept. */
    @Override
    public void save() {
        kept.giveUpAll();
    }

    /** The agent ends: nothing is kept any more. */
    public void close() {
        closed = true;
        budget.remove(this);
        save();
    }

    public LiveStatus status() {
        return live.status(shared, kept.bytes());
    }
}
