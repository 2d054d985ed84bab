package io.boltshuffle.agent.pull;

import io.boltshuffle.agent.output.OutputBlock;
import io.boltshuffle.agent.stage.BlockPlace;
import io.boltshuffle.agent.stage.StagingPlan;
import io.boltshuffle.wire.WireLimits;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The parts of a pull that are sent from the outputs in which they lie, without being staged.
 *
 * <p><b>Invariant:</b> each of these outputs has a hold for each part, from before the part is offered until {@link
 * #letGo}: it neither makes room nor goes with its shuffle before the pull has ended.
 *
 * <p><b>Threads:</b> used by one thread at a time: a reader while it works for the pull, else the agent's loop.
 */
final class StraightParts {

    /** Below this, another stripe, and shorter messages, are estimated to cost both ends more than a copy here. */
    static final int LEAST_BYTES = 64 << 10;

    /** The most of one pull, so that its stripes fit an answer: each may lie between two that are staged. */
    private static final int MOST_PARTS = 256;

    /** Each part may leave two frames all but empty: its own last one, and that of what is staged before it. */
    private static final int FRAMES_LOST = 2;

    /**
     * How many parts the pulls of one peer may have in this way at a time: its links take a limited number of offers.
     *
     * <p><b>Threads:</b> any.
     */
    static final class Limit {
        private final AtomicInteger free;

        Limit(int most) {
            free = new AtomicInteger(most);
        }

        private boolean take() {
            return free.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
        }

        private void giveBack(int parts) {
            free.addAndGet(parts);
        }
    }

    private final Limit limit;
    private final List<OutputBlock> blocks = new ArrayList<>();
    /** Which parts of the plan these are. */
    private final BitSet places = new BitSet();

    private StraightParts(Limit limit) {
        this.limit = limit;
    }

    static StraightParts none() {
        return new StraightParts(new Limit(0));
    }

    /**
     * Finds those parts of a plan that links can send from where they lie, and holds their outputs.
     *
     * @param windowBytes what the peer wants at a time
     */
    static StraightParts hold(StagingPlan plan, long windowBytes, Limit limit) {
        StraightParts straight = new StraightParts(limit);
        long mostParts =
                Math.min(MOST_PARTS, ReadyCheck.mostGapBytes(windowBytes) / (FRAMES_LOST * WireLimits.FRAME_BYTES));
        List<StagingPlan.Part> parts = plan.parts();
        for (int i = 0; i < parts.size() && straight.blocks.size() < mostParts; i++) {
            if (parts.get(i).place() instanceof BlockPlace.InMemory memory) {
                straight.tryHold(i, memory.block());
            }
        }
        return straight;
    }

    private void tryHold(int part, OutputBlock block) {
        if (block.bytes() < LEAST_BYTES || block.offsetOfFrame().isEmpty() || !limit.take()) {
            return;
        }
        if (block.hold()) {
            blocks.add(block);
            places.set(part);
        } else {
            limit.giveBack(1);
        }
    }

    boolean has(int part) {
        return places.get(part);
    }

    /** Returns how much memory it takes to stage the other parts: each run of them begins a frame. */
    long stagedBytes(StagingPlan plan) {
        long end = 0;
        for (int i = 0; i < plan.parts().size(); i++) {
            end = has(i)
                    ? WireLimits.wholeFrames(end)
                    : end + plan.parts().get(i).slice().bytes();
        }
        return end;
    }

    /** Ends all holds. Calling it again does nothing. */
    void letGo() {
        blocks.forEach(OutputBlock::letGo);
        limit.giveBack(blocks.size());
        blocks.clear();
        places.clear();
    }
}
