package io.boltshuffle.rdma.memory;

import java.util.Map;
import java.util.TreeMap;

/** The lowest place that is long enough, under the same rule of pieces as the pool's. */
final class FirstFitPlacement implements FramePlacement {

    private final int pieceFrames;
    private final TreeMap<Integer, Integer> endByStart = new TreeMap<>();

    FirstFitPlacement(int totalFrames, int pieceFrames) {
        this.pieceFrames = pieceFrames;
        endByStart.put(0, totalFrames);
    }

    @Override
    public int allocate(int frames) {
        for (Map.Entry<Integer, Integer> range : endByStart.entrySet()) {
            int start = range.getKey();
            int end = range.getValue();
            int nextPiece = (start + pieceFrames - 1) & -pieceFrames;
            int first = frames <= pieceFrames && start + frames <= nextPiece ? start : nextPiece;
            if (first + frames <= end) {
                endByStart.remove(start);
                add(start, first);
                add(first + frames, end);
                return first;
            }
        }
        return FrameAllocator.NONE;
    }

    @Override
    public void free(int first, int frames) {
        int start = first;
        int end = first + frames;
        Map.Entry<Integer, Integer> before = endByStart.floorEntry(first);
        if (before != null && before.getValue() == first) {
            start = before.getKey();
        }
        Integer joinedEnd = endByStart.remove(end);
        add(start, joinedEnd == null ? end : joinedEnd);
    }

    private void add(int start, int end) {
        if (start < end) {
            endByStart.put(start, end);
        }
    }
}
