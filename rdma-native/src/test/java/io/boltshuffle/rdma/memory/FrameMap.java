package io.boltshuffle.rdma.memory;

import java.util.BitSet;

/** One bit a frame: the slow and obvious way to know which frames are free. */
final class FrameMap {

    private final int total;
    private final int piece;
    private final BitSet used;

    FrameMap(int total, int piece) {
        this.total = total;
        this.piece = piece;
        this.used = new BitSet(total);
    }

    boolean hasPlace(int frames) {
        for (int first = 0; first + frames <= total; first++) {
            if (isLegal(first, frames)) {
                return true;
            }
        }
        return false;
    }

    void occupy(int first, int frames) {
        if (!isLegal(first, frames)) {
            throw new AssertionError(frames + " frames must not be at " + first + " with " + used);
        }
        used.set(first, first + frames);
    }

    void clear(int first, int frames) {
        used.clear(first, first + frames);
    }

    int freeFrames() {
        return total - used.cardinality();
    }

    int longestFree() {
        int longest = 0;
        for (int start = used.nextClearBit(0); start < total; ) {
            int end = used.nextSetBit(start);
            end = end < 0 ? total : end;
            longest = Math.max(longest, end - start);
            start = used.nextClearBit(end);
        }
        return longest;
    }

    private boolean isLegal(int first, int frames) {
        int end = first + frames;
        boolean withinPiece = first / piece == (end - 1) / piece;
        boolean placed = withinPiece || (frames > piece && first % piece == 0);
        return placed && end <= total && used.get(first, end).isEmpty();
    }
}
