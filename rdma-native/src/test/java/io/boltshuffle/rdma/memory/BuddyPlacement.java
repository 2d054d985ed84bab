package io.boltshuffle.rdma.memory;

import java.util.TreeSet;

/** Powers of two only, split and joined in halves: no range crosses a piece, but most are larger than asked for. */
final class BuddyPlacement implements FramePlacement {

    private final TreeSet<Integer>[] freeByOrder;

    /** @param totalFrames a power of two */
    @SuppressWarnings({"unchecked", "rawtypes"}) // Java has no arrays of generic types.
    BuddyPlacement(int totalFrames) {
        int orders = Integer.numberOfTrailingZeros(totalFrames) + 1;
        freeByOrder = new TreeSet[orders];
        for (int order = 0; order < orders; order++) {
            freeByOrder[order] = new TreeSet<>();
        }
        freeByOrder[orders - 1].add(0);
    }

    @Override
    public int allocate(int frames) {
        int wanted = orderOf(frames);
        for (int order = wanted; order < freeByOrder.length; order++) {
            Integer first = freeByOrder[order].pollFirst();
            if (first != null) {
                for (int half = order - 1; half >= wanted; half--) {
                    freeByOrder[half].add(first + (1 << half));
                }
                return first;
            }
        }
        return FrameAllocator.NONE;
    }

    @Override
    public void free(int first, int frames) {
        int start = first;
        int order = orderOf(frames);
        while (order < freeByOrder.length - 1 && freeByOrder[order].remove(start ^ 1 << order)) {
            start &= ~(1 << order);
            order++;
        }
        freeByOrder[order].add(start);
    }

    private static int orderOf(int frames) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(frames - 1);
    }
}
