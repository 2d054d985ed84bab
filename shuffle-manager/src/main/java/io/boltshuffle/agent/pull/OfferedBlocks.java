package io.boltshuffle.agent.pull;

import io.boltshuffle.agent.cable.ActiveLink;
import io.boltshuffle.agent.output.OutputBlock;
import io.boltshuffle.agent.stage.BlockPlace;
import io.boltshuffle.agent.stage.ServedFiles;
import io.boltshuffle.agent.stage.StagingPlan;
import io.boltshuffle.rdma.link.RangePart;
import io.boltshuffle.rdma.link.RegisteredRange;
import io.boltshuffle.wire.BlockFailure;
import io.boltshuffle.wire.BlockSlice;
import io.boltshuffle.wire.PullRequest;
import io.boltshuffle.wire.WireLimits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one pull offers its peer: runs of blocks that are staged back to back, and blocks that are sent from the outputs
 * in which they lie. Where they arrive, each of these begins a frame.
 *
 * <p><b>Threads:</b> confined to the reader that works for the pull.
 */
final class OfferedBlocks {

    private final PullRequest request;
    private final ServedFiles served;
    private final StripePlan stripes;
    private final @Nullable StagingArea area;
    private final List<Offered> offers;
    private final Runnable beforeEach;
    private final ArrayList<BlockSlice> slices = new ArrayList<>();
    private final List<BlockFailure> failures = new ArrayList<>();
    private String detail = "";
    private int turns;
    /** Where the next run of staged blocks would begin, were it not for its frame. */
    private long stagedEnd;
    /** Where the next bytes would arrive, were it not for their frame. */
    private long arrivalEnd;

    private long memoryBytes;
    private long inPlaceBytes;

    /**
     * Begins with nothing.
     *
     * @param area where blocks are staged, null if none is
     * @param offers gets to see each offer as soon as it is made, also if the next one fails
     * @param beforeEach called before each block; ends the work by what it throws
     */
    OfferedBlocks(
            PullRequest request,
            ServedFiles served,
            StripePlan stripes,
            @Nullable StagingArea area,
            List<Offered> offers,
            Runnable beforeEach) {
        this.request = request;
        this.served = served;
        this.stripes = stripes;
        this.area = area;
        this.offers = offers;
        this.beforeEach = beforeEach;
    }

    /**
     * Stages and offers all parts of a plan.
     *
     * @throws IOException if a link cannot offer what it should
     */
    void offer(StagingPlan plan, StraightParts straight) throws IOException {
        failures.addAll(plan.failures());
        detail = plan.detail();
        List<StagingPlan.Part> parts = plan.parts();
        slices.ensureCapacity(parts.size());
        int from = 0;
        for (int i = 0; i < parts.size(); i++) {
            if (straight.has(i)) {
                stage(parts.subList(from, i));
                offerInPlace(parts.get(i));
                from = i + 1;
            }
        }
        stage(parts.subList(from, parts.size()));
        failures.sort(Comparator.comparingInt(BlockFailure::blockIndex));
    }

    List<BlockSlice> slices() {
        return Collections.unmodifiableList(slices);
    }

    List<BlockFailure> failures() {
        return Collections.unmodifiableList(failures);
    }

    /** Returns words about the first failure; empty without one. */
    String detail() {
        return detail;
    }

    /** Returns how many bytes no file was read for. */
    long memoryBytes() {
        return memoryBytes;
    }

    /** Returns how many of these were not copied, either. */
    long inPlaceBytes() {
        return inPlaceBytes;
    }

    private void stage(List<StagingPlan.Part> run) throws IOException {
        if (run.isEmpty()) {
            return;
        }
        StagingArea into = area;
        if (into == null) {
            throw new IllegalStateException("no memory to stage " + run.size() + " blocks in");
        }
        long source = WireLimits.wholeFrames(stagedEnd);
        long arrival = WireLimits.wholeFrames(arrivalEnd);
        long bytes = run.stream().mapToLong(part -> part.slice().bytes()).sum();
        List<StripePlan.Part> cut = nextLinks().cut(new StripePlan.Span(source, arrival, bytes));
        for (StripePlan.Part part : cut) {
            open(into, part.link());
        }
        boolean summed = cut.stream().anyMatch(part -> part.link().link().isSummed());
        StagingSums sums = summed ? new StagingSums(cut) : null;
        StagedBlocks staged = StagedBlocks.read(run, request, served, into.lease(), source, sums, beforeEach);
        failures.addAll(staged.failures());
        detail = detail.isEmpty() ? staged.detail() : detail;
        memoryBytes += staged.memoryBytes();
        for (int i = 0; i < cut.size(); i++) {
            StripePlan.Part part = cut.get(i);
            long left = Math.min(part.bytes(), source + staged.bytes() - part.offset());
            if (left > 0) {
                offer(part.link(), into.rangeFor(part.link()), part.offset(), left, sums == null ? null : sums.of(i));
            }
        }
        if (staged.bytes() > 0) {
            arrives(staged.slices(), arrival, staged.bytes());
            stagedEnd = source + staged.bytes();
        }
    }

    private void offerInPlace(StagingPlan.Part part) throws IOException {
        beforeEach.run();
        OutputBlock block = ((BlockPlace.InMemory) part.place()).block();
        long source = block.offsetOfFrame().orElseThrow();
        long arrival = WireLimits.wholeFrames(arrivalEnd);
        for (StripePlan.Part each : nextLinks().cut(new StripePlan.Span(source, arrival, block.bytes()))) {
            offer(each.link(), each.link().rangeOf(block.memory()), each.offset(), each.bytes(), null);
        }
        memoryBytes += block.bytes();
        inPlaceBytes += block.bytes();
        arrives(List.of(part.slice()), arrival, block.bytes());
    }

    /** Links take turns, so that one does not carry all that is small. */
    private StripePlan nextLinks() {
        return new StripePlan(stripes.links(), stripes.first() + turns++);
    }

    private static void open(StagingArea into, ActiveLink link) throws IOException {
        try {
            into.openTo(link);
        } catch (IOException e) {
            throw new IOException("the peer cannot be let at memory: " + e.getMessage(), e);
        }
    }

    private void offer(ActiveLink link, RegisteredRange range, long offset, long bytes, int @Nullable [] sums)
            throws IOException {
        RangePart source = new RangePart(range, offset, bytes);
        try {
            offers.add(new Offered(link, link.link().offer(source, sums, () -> {})));
        } catch (IllegalStateException e) {
            throw new IOException("the link went down: " + e.getMessage(), e);
        }
    }

    private void arrives(List<BlockSlice> backToBack, long arrival, long bytes) {
        slices.add(backToBack.get(0).after((int) (arrival - arrivalEnd)));
        for (int i = 1; i < backToBack.size(); i++) {
            slices.add(backToBack.get(i));
        }
        arrivalEnd = arrival + bytes;
    }
}
