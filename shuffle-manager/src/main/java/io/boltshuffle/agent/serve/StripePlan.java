package io.boltshuffle.agent.serve;

import io.boltshuffle.agent.cable.ActiveLink;
import io.boltshuffle.rdma.memory.RegistrationRequest;
import io.boltshuffle.wire.WireLimits;
import java.util.ArrayList;
import java.util.List;

/**
 * A plan that cuts a pull so that several links carry it together.
 *
 * <p><b>Invariant:</b> no part crosses a multiple of {@link #REGION_BYTES}, where it lies or where it arrives. A lease
 * that is larger starts at such a multiple of its slab, on both hosts, so each part lies within one memory region
 * whatever their devices allow.
 *
 * @param links that are up, at least one
 * @param first which link begins, so that small pulls take turns
 */
public record StripePlan(List<ActiveLink> links, int first) {

    /** The least bytes of a stripe: below this a second link costs more than it brings. */
    static final long MIN_STRIPE_BYTES = 256 << 10;

    /** The least that a memory region has. */
    static final long REGION_BYTES = RegistrationRequest.SMALLEST_PIECE_BYTES;

    /**
     * The bytes that one link carries at once.
     *
     * @param offset in its lease here
     */
    record Part(ActiveLink link, long offset, long bytes) {}

    /** Cuts so many bytes from the beginning of a lease, which arrive at the beginning of one, too. */
    List<Part> cut(long bytes) {
        long wanted = Math.max(1, bytes / MIN_STRIPE_BYTES);
        int count = (int) Math.min(links.size(), wanted);
        long share = WireLimits.wholeFrames((bytes + count - 1) / count);
        List<Part> parts = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            ActiveLink link = links.get(Math.floorMod(first + i, links.size()));
            addParts(link, i * share, Math.min(bytes, (i + 1) * share), parts);
        }
        return parts;
    }

    private static void addParts(ActiveLink link, long start, long end, List<Part> parts) {
        for (long from = start; from < end; ) {
            long to = Math.min(end, from + REGION_BYTES - from % REGION_BYTES);
            parts.add(new Part(link, from, to - from));
            from = to;
        }
    }
}
