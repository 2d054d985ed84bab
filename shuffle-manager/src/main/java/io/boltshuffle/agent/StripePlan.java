package io.boltshuffle.agent;

import io.boltshuffle.rdma.memory.Lease;
import java.util.ArrayList;
import java.util.List;

/**
 * How a pull is cut so that several links carry it together.
 *
 * @param links that are up, at least one
 * @param first which link begins, so that small pulls take turns
 */
record StripePlan(List<ActiveLink> links, int first) {

    /** Below this a second link costs more than it brings. */
    static final long MIN_STRIPE_BYTES = 256 << 10;

    /** What one link carries. */
    record Part(ActiveLink link, long offset, long bytes) {}

    List<Part> cut(long bytes) {
        long wanted = Math.max(1, bytes / MIN_STRIPE_BYTES);
        int count = (int) Math.min(links.size(), wanted);
        long share = roundUp((bytes + count - 1) / count);
        List<Part> parts = new ArrayList<>(count);
        for (long offset = 0; offset < bytes; offset += share) {
            ActiveLink link = links.get(Math.floorMod(first + parts.size(), links.size()));
            parts.add(new Part(link, offset, Math.min(share, bytes - offset)));
        }
        return parts;
    }

    private static long roundUp(long bytes) {
        return (bytes + Lease.FRAME_BYTES - 1) / Lease.FRAME_BYTES * Lease.FRAME_BYTES;
    }
}
