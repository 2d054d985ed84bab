package io.boltshuffle.agent.pull;

import io.boltshuffle.agent.cable.ActiveLink;
import io.boltshuffle.agent.stage.ServedFiles;
import io.boltshuffle.agent.stage.StagingPlan;
import io.boltshuffle.rdma.link.MemoryWindow;
import io.boltshuffle.rdma.link.RangePart;
import io.boltshuffle.rdma.link.ReadablePart;
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
 * What one pull offers its peer: runs of blocks that are staged back to back, and runs that are sent from the outputs
 * in which they lie, or read there. Where they arrive, each of these begins a frame.
 *
 * <p><b>Threads:</b> confined to the reader that works for the pull.
 */
final class OfferedBlocks {

    /**
     * Parts that are offered together.
     *
     * @param lying where they lie, if they are not to be staged
     * @param stripes which links carry them
     */
    private record Piece(List<StagingPlan.Part> parts, StraightParts.@Nullable Run lying, StripePlan stripes) {

        long bytes() {
            return parts.stream().mapToLong(part -> part.slice().bytes()).sum();
        }
    }

    private final PullRequest request;
    private final ServedFiles served;
    private final StripePlan stripes;
    private final @Nullable StagingArea area;
    private final List<Offered> offers;
    private final Runnable beforeEach;
    private final ArrayList<BlockSlice> slices = new ArrayList<>();
    private final List<BlockFailure> failures = new ArrayList<>();
    private String detail = "";
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
        slices.ensureCapacity(plan.parts().size());
        List<Piece> pieces = pieces(plan.parts(), straight);
        for (Piece piece : pieces) {
            if (piece.lying() == null) {
                open(piece);
            }
        }
        for (Piece piece : pieces) {
            StraightParts.Run lying = piece.lying();
            if (lying == null) {
                stage(piece);
            } else {
                offerInPlace(piece, lying);
            }
        }
        failures.sort(Comparator.comparingInt(BlockFailure::blockIndex));
    }

    /** Links take turns, so that one does not carry all that is small. */
    private List<Piece> pieces(List<StagingPlan.Part> parts, StraightParts straight) {
        List<Piece> pieces = new ArrayList<>();
        for (int from = 0; from < parts.size(); ) {
            StraightParts.Run lying = straight.from(from);
            int end = lying == null ? from + 1 : from + lying.parts();
            while (lying == null && end < parts.size() && straight.from(end) == null) {
                end++;
            }
            StripePlan next = new StripePlan(stripes.links(), stripes.first() + pieces.size());
            pieces.add(new Piece(parts.subList(from, end), lying, next));
            from = end;
        }
        return pieces;
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

    /** Before anything is staged: where the peer reads, what is there is overwritten. */
    private void open(Piece piece) throws IOException {
        StagingArea into = areaFor(piece);
        for (StripePlan.Part part : piece.stripes().cut(new StripePlan.Span(0, 0, piece.bytes()))) {
            try {
                into.openTo(part.link());
            } catch (IOException e) {
                throw new IOException("the peer cannot be let at memory: " + e.getMessage(), e);
            }
        }
    }

    private StagingArea areaFor(Piece piece) {
        StagingArea into = area;
        if (into == null) {
            throw new IllegalStateException(
                    "no memory to stage " + piece.parts().size() + " blocks in");
        }
        return into;
    }

    private void stage(Piece piece) throws IOException {
        StagingArea into = areaFor(piece);
        long source = WireLimits.wholeFrames(stagedEnd);
        long arrival = WireLimits.wholeFrames(arrivalEnd);
        List<StripePlan.Part> cut = piece.stripes().cut(new StripePlan.Span(source, arrival, piece.bytes()));
        boolean summed = cut.stream().anyMatch(part -> part.link().link().isSummed());
        StagingSums sums = summed ? new StagingSums(cut) : null;
        StagedBlocks staged = StagedBlocks.read(piece.parts(), request, served, into.lease(), source, sums, beforeEach);
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

    private void offerInPlace(Piece piece, StraightParts.Run run) throws IOException {
        beforeEach.run();
        long arrival = WireLimits.wholeFrames(arrivalEnd);
        boolean isOnlyRead = piece.stripes().links().stream().allMatch(ActiveLink::isRead);
        // What peers read is one memory region of its own: only that in which it arrives is of account.
        StripePlan.Span span = new StripePlan.Span(isOnlyRead ? arrival : run.offset(), arrival, run.bytes());
        for (StripePlan.Part part : piece.stripes().cut(span)) {
            long from = part.offset() - span.source();
            MemoryWindow window = part.link().window();
            if (window == null) {
                offer(part.link(), part.link().rangeOf(run.block().memory()), run.offset() + from, part.bytes(), null);
            } else {
                offer(part.link(), readable(run, window), from, part.bytes(), null);
            }
        }
        memoryBytes += run.bytes();
        inPlaceBytes += run.bytes();
        arrives(piece.parts().stream().map(StagingPlan.Part::slice).toList(), arrival, run.bytes());
    }

    private static ReadablePart readable(StraightParts.Run run, MemoryWindow window) throws IOException {
        RegisteredRange output = run.block()
                .openTo(window.ofPort())
                .orElseThrow(() -> new IOException("the peer cannot be let at an output"));
        return new ReadablePart(output, run.offset());
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
