package io.boltshuffle.agent.pull;

import io.boltshuffle.agent.cable.ActiveLink;
import io.boltshuffle.agent.output.Output;
import io.boltshuffle.agent.output.OutputBlock;
import io.boltshuffle.agent.stage.BlockPlace;
import io.boltshuffle.agent.stage.StagingPlan;
import io.boltshuffle.rdma.link.MemoryWindow;
import io.boltshuffle.wire.WireLimits;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a pull that are sent from the outputs in which they lie, or read there, without being staged. Parts that
 * follow each other in the pull and lie back to back in an output go together.
 *
 * <p><b>Invariant:</b> each of these outputs has a hold for each of its runs, from before the run is offered until
 * {@link #letGo}: it neither makes room nor goes with its shuffle before the pull has ended. Where peers read, it is
 * open to them before.
 *
 * <p><b>Threads:</b> used by one thread at a time: a reader while it works for the pull, else the agent's loop.
 */
final class StraightParts {

    /** Below this, another stripe, and shorter messages, are estimated to cost both ends more than a copy here. */
    static final int LEAST_BYTES = 64 << 10;

    /** The most of one pull, so that its stripes fit an answer: each may lie between two that are staged. */
    private static final int MOST_RUNS = 256;

    /** Each run may leave two frames all but empty: its own last one, and that of what is staged before it. */
    private static final int FRAMES_LOST = 2;

    /**
     * How many runs the pulls of one peer may have in this way at a time: its links take a limited number of offers.
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

        private void giveBack(int runs) {
            free.addAndGet(runs);
        }
    }

    /**
     * Parts that lie together in one output.
     *
     * @param block of which the first part is; the memory is its output's
     * @param parts how many, at least one
     * @param offset where they begin in the memory
     * @param bytes of all of them
     */
    record Run(OutputBlock block, int parts, long offset, long bytes) {}

    private final Limit limit;
    /** By their first parts. */
    private final Map<Integer, Run> runs = new LinkedHashMap<>();

    /** The same numbers, so that nothing is made for a part that begins no run. */
    private final BitSet firsts = new BitSet();

    StraightParts(Limit limit) {
        this.limit = limit;
    }

    static StraightParts none() {
        return new StraightParts(new Limit(0));
    }

    /**
     * Finds those parts of a plan that links can take from where they lie, and holds their outputs. On a reader: where
     * peers read, an output may have to be opened to them.
     *
     * @param windowBytes what the peer wants at a time
     * @param links each of which may be given any part
     */
    void hold(StagingPlan plan, long windowBytes, List<ActiveLink> links) {
        long mostRuns =
                Math.min(MOST_RUNS, ReadyCheck.mostGapBytes(windowBytes) / (FRAMES_LOST * WireLimits.FRAME_BYTES));
        for (int i = 0; i < plan.parts().size() && runs.size() < mostRuns; ) {
            Run run = runFrom(plan.parts(), i);
            if (run == null) {
                i++;
            } else {
                tryHold(i, run, links);
                i += run.parts();
            }
        }
    }

    /** Returns the longest run that begins with this part; null if it lies in no output, or not together. */
    private static @Nullable Run runFrom(List<StagingPlan.Part> parts, int first) {
        if (!(parts.get(first).place() instanceof BlockPlace.InMemory lying)) {
            return null;
        }
        OutputBlock block = lying.block();
        OptionalLong offset = block.offset();
        if (offset.isEmpty()) {
            return null;
        }
        int end = first + 1;
        long bytes = parts.get(first).slice().bytes();
        while (end < parts.size() && isNext(parts.get(end), block.output(), offset.getAsLong() + bytes)) {
            bytes += parts.get(end).slice().bytes();
            end++;
        }
        return new Run(block, end - first, offset.getAsLong(), bytes);
    }

    /** Whether a part lies in that output from that place on. */
    private static boolean isNext(StagingPlan.Part part, Output output, long offset) {
        if (!(part.place() instanceof BlockPlace.InMemory lying)
                || lying.block().output() != output) {
            return false;
        }
        OptionalLong begins = lying.block().offset();
        return begins.isPresent() && begins.getAsLong() == offset;
    }

    private void tryHold(int first, Run run, List<ActiveLink> links) {
        if (run.bytes() < LEAST_BYTES || !beginsWell(run, links) || !limit.take()) {
            return;
        }
        if (!run.block().hold()) {
            limit.giveBack(1);
            return;
        }
        // Before an output is opened, which may fail: what is here is let go of in any case.
        runs.put(first, run);
        firsts.set(first);
        if (!isOpen(run.block(), links)) {
            runs.remove(first);
            firsts.clear(first);
            run.block().letGo();
            limit.giveBack(1);
        }
    }

    /** What is sent begins a frame; what is read may begin anywhere. */
    private static boolean beginsWell(Run run, List<ActiveLink> links) {
        return run.offset() % WireLimits.FRAME_BYTES == 0 || links.stream().allMatch(ActiveLink::isRead);
    }

    private static boolean isOpen(OutputBlock block, List<ActiveLink> links) {
        for (ActiveLink link : links) {
            MemoryWindow window = link.window();
            if (window != null && block.openTo(window.ofPort()).isEmpty()) {
                return false;
            }
        }
        return true;
    }

    /** Returns the run that begins with this part of the plan, if one does. */
    @Nullable Run from(int part) {
        return firsts.get(part) ? runs.get(part) : null;
    }

    /** Returns how many bytes of the plan are in runs. */
    long bytes() {
        return runs.values().stream().mapToLong(Run::bytes).sum();
    }

    /** Returns how much memory it takes to stage the other parts: what follows a run begins a frame. */
    long stagedBytes(StagingPlan plan) {
        long end = 0;
        for (int i = 0; i < plan.parts().size(); ) {
            Run run = from(i);
            end = run == null ? end + plan.parts().get(i).slice().bytes() : WireLimits.wholeFrames(end);
            i += run == null ? 1 : run.parts();
        }
        return end;
    }

    /** Ends all holds. Calling it again does nothing. */
    void letGo() {
        runs.values().forEach(run -> run.block().letGo());
        limit.giveBack(runs.size());
        runs.clear();
        firsts.clear();
    }
}
