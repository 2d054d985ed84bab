package io.boltshuffle.agent.pull;

import io.boltshuffle.wire.BlockFailure;
import io.boltshuffle.wire.BlockSlice;
import io.boltshuffle.wire.ControlMessage;
import io.boltshuffle.wire.PullRequest;
import io.boltshuffle.wire.Stripe;
import io.boltshuffle.wire.WireException;
import io.boltshuffle.wire.WireLimits;
import java.util.ArrayList;
import java.util.List;

/**
 * What a READY says of its pull, once it is known to make sense: it answers the first blocks of the pull in order, each
 * once, within the window, and its stripes carry exactly the slices' bytes: slices and stripes have their gaps in the
 * same places.
 *
 * @param bytes of all slices together
 * @param memoryBytes that they take with the gaps between them
 * @param answeredBlocks how many of the pull's blocks need not be asked for again
 * @param nextOffset where to go on in the block after those; 0 unless its first part is among the slices
 */
record ReadyCheck(long bytes, long memoryBytes, int answeredBlocks, long nextOffset) {

    private static final int GAPS_PER_WINDOW = 8;

    /** How much of a window may be lost to gaps, beside the window itself. */
    static long mostGapBytes(long windowBytes) {
        return windowBytes / GAPS_PER_WINDOW;
    }

    /** @throws WireException if the answer does not fit the pull: the peer cannot be trusted */
    static ReadyCheck of(PullRequest request, ControlMessage.Ready ready) throws WireException {
        int slice = 0;
        int failure = 0;
        int block = 0;
        long bytes = 0;
        long position = 0;
        List<Long> ends = new ArrayList<>();
        long nextOffset = 0;
        while (slice < ready.slices().size() || failure < ready.failures().size()) {
            require(nextOffset == 0 && block < request.blocks().size(), "more than was asked for", request);
            BlockSlice nextSlice =
                    slice < ready.slices().size() ? ready.slices().get(slice) : null;
            BlockFailure nextFailure =
                    failure < ready.failures().size() ? ready.failures().get(failure) : null;
            if (nextSlice != null && nextSlice.blockIndex() == block) {
                long start = block == 0 ? request.firstOffset() : 0;
                require(nextSlice.bytes() > 0 && nextSlice.blockOffset() == start, "a slice out of place", request);
                long arrival = position + nextSlice.gapBytes();
                if (arrival != position) {
                    require(arrival == WireLimits.wholeFrames(position), "a gap that ends no frame", request);
                    ends.add(position);
                }
                position = arrival + nextSlice.bytes();
                bytes += nextSlice.bytes();
                nextOffset = nextSlice.isLast() ? 0 : start + nextSlice.bytes();
                slice++;
            } else {
                require(nextFailure != null && nextFailure.blockIndex() == block, "a gap", request);
                failure++;
            }
            block++;
        }
        require(block > 0, "nothing", request);
        require(bytes <= request.windowBytes(), "more than the window", request);
        require(position - bytes <= mostGapBytes(request.windowBytes()), "more gaps than the window allows", request);
        if (position > 0) {
            ends.add(position);
        }
        require(ends.equals(stripeEnds(ready)), "stripes that do not carry the slices", request);
        return new ReadyCheck(bytes, position, nextOffset == 0 ? block : block - 1, nextOffset);
    }

    /** Returns where what the stripes carry ends before a gap, and where it ends at last. */
    private static List<Long> stripeEnds(ControlMessage.Ready ready) throws WireException {
        List<Long> ends = new ArrayList<>();
        long position = 0;
        for (Stripe stripe : ready.stripes()) {
            long arrival = WireLimits.wholeFrames(position);
            if (arrival != position) {
                ends.add(position);
            }
            long toRegionEnd = StripePlan.REGION_BYTES - arrival % StripePlan.REGION_BYTES;
            if (stripe.bytes() < 1 || stripe.bytes() > toRegionEnd) {
                throw new WireException("a stripe of " + stripe.bytes() + " bytes at " + arrival);
            }
            position = arrival + stripe.bytes();
        }
        if (position > 0) {
            ends.add(position);
        }
        return ends;
    }

    private static void require(boolean holds, String what, PullRequest request) throws WireException {
        if (!holds) {
            throw new WireException(
                    "the answer to a pull of " + request.blocks().size() + " blocks has " + what);
        }
    }
}
