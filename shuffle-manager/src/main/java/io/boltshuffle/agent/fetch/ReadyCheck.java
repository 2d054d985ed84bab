package io.boltshuffle.agent.fetch;

import io.boltshuffle.rdma.memory.RegistrationRequest;
import io.boltshuffle.wire.BlockFailure;
import io.boltshuffle.wire.BlockSlice;
import io.boltshuffle.wire.ControlMessage;
import io.boltshuffle.wire.PullRequest;
import io.boltshuffle.wire.Stripe;
import io.boltshuffle.wire.WireException;
import io.boltshuffle.wire.WireLimits;

/**
 * The contents of a READY that makes sense: it answers the first blocks of the pull in order, each once, within the
 * window, and its stripes carry exactly the slices' bytes.
 *
 * @param bytes of all slices together
 * @param answeredBlocks how many of the pull's blocks need not be asked for again
 * @param nextOffset where to go on in the block after those; 0 unless its first part is among the slices
 */
record ReadyCheck(long bytes, int answeredBlocks, long nextOffset) {

    /** The least that a memory region has, here and at the peer. */
    static final long REGION_BYTES = RegistrationRequest.SMALLEST_PIECE_BYTES;

    /** @throws WireException if the answer does not fit the pull: the peer cannot be trusted */
    static ReadyCheck of(PullRequest request, ControlMessage.Ready ready) throws WireException {
        int slice = 0;
        int failure = 0;
        int block = 0;
        long bytes = 0;
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
                bytes += nextSlice.bytes();
                nextOffset = nextSlice.isLast() ? 0 : start + nextSlice.bytes();
                slice++;
            } else {
                require(nextFailure != null && nextFailure.blockIndex() == block, "a block left out", request);
                failure++;
            }
            block++;
        }
        require(block > 0, "nothing", request);
        require(bytes <= request.windowBytes(), "more than the window", request);
        require(bytes == stripedBytes(ready), "stripes that do not carry the slices", request);
        return new ReadyCheck(bytes, nextOffset == 0 ? block : block - 1, nextOffset);
    }

    /** Returns how many bytes the stripes carry, each of which begins a frame and lies within one memory region. */
    private static long stripedBytes(ControlMessage.Ready ready) throws WireException {
        long position = 0;
        for (Stripe stripe : ready.stripes()) {
            long toRegionEnd = REGION_BYTES - position % REGION_BYTES;
            if (position % WireLimits.FRAME_BYTES != 0 || stripe.bytes() < 1 || stripe.bytes() > toRegionEnd) {
                throw new WireException("a stripe of " + stripe.bytes() + " bytes at " + position);
            }
            position += stripe.bytes();
        }
        return position;
    }

    private static void require(boolean holds, String what, PullRequest request) throws WireException {
        if (!holds) {
            throw new WireException(
                    "the answer to a pull of " + request.blocks().size() + " blocks has " + what);
        }
    }
}
