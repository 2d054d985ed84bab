package io.boltshuffle.agent.pull;

import io.boltshuffle.agent.stage.StagingPlan;
import io.boltshuffle.wire.BlockSlice;
import io.boltshuffle.wire.WireLimits;
import java.util.ArrayList;
import java.util.List;

/**
 * How blocks that are staged one after the other are cut, so that those that are there can be moved while the next ones
 * are read. Each part is three times as large as the one before it: to move bytes takes longer than to read them, so
 * the next part is there when its turn comes, and each part more costs a message and changes of threads.
 *
 * @param bytes of the first part; whole frames. A block that is not much larger than its part may be is not cut
 */
record PartCut(long bytes) {

    private static final int GROWTH = 3;

    PartCut {
        if (bytes < WireLimits.FRAME_BYTES || bytes % WireLimits.FRAME_BYTES != 0) {
            throw new IllegalArgumentException("parts of " + bytes + " bytes");
        }
    }

    /** Whether it is worth it. */
    boolean cuts(long staged) {
        return isLarge(staged, bytes);
    }

    /** Whether so much is worth a message. Blocks seldom fill a part. */
    boolean isWorthTelling(long offered) {
        return offered > bytes / 2;
    }

    private static boolean isLarge(long size, long limit) {
        return size > limit + limit / 2;
    }

    /** Returns the most memory that is lost because each part begins a frame. */
    long lostBytes(long staged) {
        // Of two parts that follow each other, both have more than one together.
        long most = 2 * (staged / bytes + 1);
        return most * WireLimits.FRAME_BYTES;
    }

    /**
     * Blocks, or bytes of one block, that are staged and offered together.
     *
     * @param isOfCutBlock whether it is a block's first bytes, next ones or last ones
     */
    record Piece(List<StagingPlan.Part> parts, boolean isOfCutBlock) {}

    /** Cuts a run. Parts of one block follow each other without a gap, because all but the last are whole frames. */
    List<Piece> of(List<StagingPlan.Part> run) {
        List<Piece> cut = new ArrayList<>();
        List<StagingPlan.Part> open = new ArrayList<>();
        long openBytes = 0;
        long limit = bytes;
        for (StagingPlan.Part part : run) {
            long size = part.slice().bytes();
            if (openBytes > 0 && openBytes + size > limit) {
                cut.add(new Piece(open, false));
                open = new ArrayList<>();
                openBytes = 0;
                limit *= GROWTH;
            }
            if (openBytes == 0 && isLarge(size, limit)) {
                limit = cutBlock(part, limit, cut);
            } else {
                open.add(part);
                openBytes += size;
            }
        }
        if (openBytes > 0) {
            cut.add(new Piece(open, false));
        }
        return cut;
    }

    /** Returns how large the next part may be. */
    private static long cutBlock(StagingPlan.Part part, long first, List<Piece> cut) {
        BlockSlice whole = part.slice();
        long limit = first;
        for (long from = 0; from < whole.bytes(); ) {
            long left = whole.bytes() - from;
            long length = isLarge(left, limit) ? limit : left;
            BlockSlice slice =
                    new BlockSlice(whole.blockIndex(), whole.blockOffset() + from, length, whole.blockBytes());
            StagingPlan.Part some = new StagingPlan.Part(slice, part.place().part(from, length));
            cut.add(new Piece(List.of(some), true));
            from += length;
            limit *= GROWTH;
        }
        return limit;
    }
}
