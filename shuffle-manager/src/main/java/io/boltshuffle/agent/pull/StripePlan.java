package io.boltshuffle.agent.pull;

import io.boltshuffle.agent.cable.ActiveLink;
import io.boltshuffle.rdma.memory.RegistrationRequest;
import io.boltshuffle.wire.WireLimits;
import java.util.ArrayList;
import java.util.List;

/**
 * How a pull is cut so that several links carry it together.
 *
 * <p><b>Invariant:</b> no part crosses a multiple of {@link #REGION_BYTES}, where it lies or where it arrives. A lease
 * that is larger starts at such a multiple of its slab, on both hosts, so each part lies within one memory region
 * whatever their devices allow.
 *
 * @param links that are up, at least one
 * @param first which link begins, so that small pulls take turns
 */
public record StripePlan(List<ActiveLink> links, int first) {

    /** Below this a second link costs more than it brings. */
    static final long MIN_STRIPE_BYTES = 256 << 10;

    /** The least that a memory region has. */
    public static final long REGION_BYTES = RegistrationRequest.SMALLEST_PIECE_BYTES;

    /**
     * What one link carries at once.
     *
     * @param offset in its lease here
     */
    record Part(ActiveLink link, long offset, long bytes) {}

    /**
     * Bytes that lie together, here and where they arrive.
     *
     * @param source where they begin in their lease here, which begins a memory region or lies within one
     * @param arrival where they begin in theirs
     */
    record Span(long source, long arrival, long bytes) {

        /** Returns how many bytes from this one on lie within one memory region, at either end. */
        private long toRegionEnd(long from) {
            return Math.min(
                    REGION_BYTES - (source + from) % REGION_BYTES, REGION_BYTES - (arrival + from) % REGION_BYTES);
        }
    }

    List<Part> cut(Span span) {
        long bytes = span.bytes();
        long wanted = Math.max(1, bytes / MIN_STRIPE_BYTES);
        int count = (int) Math.min(links.size(), wanted);
        long share = WireLimits.wholeFrames((bytes + count - 1) / count);
        List<Part> parts = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            ActiveLink link = links.get(Math.floorMod(first + i, links.size()));
            addParts(link, span, i * share, Math.min(bytes, (i + 1) * share), parts);
        }
        return parts;
    }

    private static void addParts(ActiveLink link, Span span, long start, long end, List<Part> parts) {
        for (long from = start; from < end; ) {
            long to = Math.min(end, from + span.toRegionEnd(from));
            parts.add(new Part(link, span.source() + from, to - from));
            from = to;
        }
    }
}
