package io.boltshuffle.agent.serve;

import io.boltshuffle.agent.files.ServedFiles;
import io.boltshuffle.rdma.link.RangePart;
import io.boltshuffle.wire.BlockFailure;
import io.boltshuffle.wire.BlockSlice;
import io.boltshuffle.wire.PullRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The blocks that one pull offers its peer, staged back to back.
 *
 * <p><b>Threads:</b> confined to the reader that works for the pull.
 */
final class OfferedBlocks {

    private final PullRequest request;
    private final ServedFiles served;
    private final StripePlan stripes;
    private final StagingArea area;
    private final List<Offered> offers;
    private final Runnable beforeEach;
    private final List<BlockFailure> failures = new ArrayList<>();
    private List<BlockSlice> slices = List.of();
    private String detail = "";

    /**
     * Begins with nothing.
     *
     * @param area where blocks are staged
     * @param offers gets to see each offer as soon as it is made, also if the next one fails
     * @param beforeEach called before each block; ends the work by what it throws
     */
    OfferedBlocks(
            PullRequest request,
            ServedFiles served,
            StripePlan stripes,
            StagingArea area,
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
    void offer(StagingPlan plan) throws IOException {
        List<StripePlan.Part> cut = stripes.cut(plan.bytes());
        open(cut);
        boolean summed = cut.stream().anyMatch(part -> part.link().link().isSummed());
        StagingSums sums = summed ? new StagingSums(cut) : null;
        StagedBlocks staged =
                StagedBlocks.read(plan.parts(), request.application(), served, area.lease(), sums, beforeEach);
        for (int i = 0; i < cut.size(); i++) {
            StripePlan.Part part = cut.get(i);
            long left = Math.min(part.bytes(), staged.bytes() - part.offset());
            if (left > 0) {
                offer(part, left, sums == null ? null : sums.of(i));
            }
        }
        slices = staged.slices();
        failures.addAll(plan.failures());
        failures.addAll(staged.failures());
        failures.sort(Comparator.comparingInt(BlockFailure::blockIndex));
        detail = plan.detail().isEmpty() ? staged.detail() : plan.detail();
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

    /** Lets the peer at the memory before anything is staged: where it reads, what is there is overwritten. */
    private void open(List<StripePlan.Part> parts) throws IOException {
        for (StripePlan.Part part : parts) {
            try {
                area.openTo(part.link());
            } catch (IOException e) {
                throw new IOException("the peer cannot be let at memory: " + e.getMessage(), e);
            }
        }
    }

    private void offer(StripePlan.Part part, long bytes, int @Nullable [] sums) throws IOException {
        RangePart source = new RangePart(area.rangeFor(part.link()), part.offset(), bytes);
        try {
            offers.add(new Offered(part.link(), part.link().link().offer(source, sums, () -> {})));
        } catch (IllegalStateException e) {
            throw new IOException("the link went down: " + e.getMessage(), e);
        }
    }
}
