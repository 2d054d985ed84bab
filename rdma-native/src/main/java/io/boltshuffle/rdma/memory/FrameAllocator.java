package io.boltshuffle.rdma.memory;

import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Tracks the free frames of a slab: best fit, neighbours joined at once.
 *
 * <p><b>Invariant:</b> free ranges never overlap nor touch. An allocated range lies within one piece if it fits into
 * one; otherwise it starts at a piece.
 *
 * <p><b>Threads:</b> confined to the pool's lock.
 *
 * <p>Under requests as Spark makes them, best fit fills about 70 % of a slab before a request finds no place, and a
 * buddy system 49 %; with small requests it is 96 % against 72 %. First fit is 2 points better on the former and 7
 * worse on the latter, and its search takes ten times as long. {@code FragmentationBenchmark} prints the table.
 */
final class FrameAllocator {

    /** The result when no range fits. */
    static final int NONE = -1;

    private final int pieceFrames;
    private final NavigableMap<Integer, Integer> framesByStart = new TreeMap<>();
    private final NavigableSet<Long> bySize = new TreeSet<>();
    private int freeFrames;

    /**
     * Creates an allocator with all frames free.
     *
     * @param pieceFrames a power of two
     */
    FrameAllocator(int totalFrames, int pieceFrames) {
        if (Integer.bitCount(pieceFrames) != 1) {
            throw new IllegalArgumentException("a piece has a power of two of frames, not " + pieceFrames);
        }
        this.pieceFrames = pieceFrames;
        add(0, totalFrames);
        freeFrames = totalFrames;
    }

    /**
     * Allocates a range.
     *
     * @return the first frame, or {@link #NONE}
     */
    int allocate(int frames) {
        for (long candidate : bySize.tailSet(sizeKey(frames, 0))) {
            int start = (int) candidate;
            int end = start + (int) (candidate >>> 32);
            int first = firstPlaceFrom(start, frames);
            if (first <= end - frames) {
                remove(start, end - start);
                add(start, first - start);
                add(first + frames, end - first - frames);
                freeFrames -= frames;
                return first;
            }
        }
        return NONE;
    }

    /** @throws IllegalStateException if any of it is free already */
    void free(int first, int frames) {
        int start = first;
        int end = first + frames;
        Map.Entry<Integer, Integer> before = framesByStart.floorEntry(first);
        Map.Entry<Integer, Integer> after = framesByStart.ceilingEntry(first);
        if ((before != null && before.getKey() + before.getValue() > first)
                || (after != null && after.getKey() < end)) {
            throw new IllegalStateException("frames " + first + " to " + (end - 1) + " are free already");
        }
        if (before != null && before.getKey() + before.getValue() == first) {
            start = before.getKey();
            remove(before.getKey(), before.getValue());
        }
        if (after != null && after.getKey() == end) {
            end += after.getValue();
            remove(after.getKey(), after.getValue());
        }
        add(start, end - start);
        freeFrames += frames;
    }

    int freeFrames() {
        return freeFrames;
    }

    /** Returns the length of the longest free range, wherever the pieces end. */
    int largestFreeFrames() {
        return bySize.isEmpty() ? 0 : (int) (bySize.last() >>> 32);
    }

    private int firstPlaceFrom(int start, int frames) {
        int nextPiece = (start + pieceFrames - 1) & -pieceFrames;
        boolean withinOnePiece = frames <= pieceFrames && (nextPiece == start || start + frames <= nextPiece);
        return withinOnePiece ? start : nextPiece;
    }

    private void add(int start, int frames) {
        if (frames > 0) {
            framesByStart.put(start, frames);
            bySize.add(sizeKey(frames, start));
        }
    }

    private void remove(int start, int frames) {
        framesByStart.remove(start);
        bySize.remove(sizeKey(frames, start));
    }

    private static long sizeKey(int frames, int start) {
        return (long) frames << 32 | start;
    }
}
