package io.boltshuffle.rdma.memory;

import io.boltshuffle.rdma.AccessFlag;
import java.util.List;
import java.util.Set;

/**
 * Says how a slab is to be registered with one device.
 *
 * @param largestPieceBytes piece size to try first, a power of two
 * @param smallestPieceBytes piece size to try last, a power of two; the piece size of the pools over the slab, if there
 * are any
 * @param maxRegions how many memory regions of the device's machine-wide budget may be used
 * @param accessChoices access rights to try, in this order: sources disagree on whether Apple's provider wants the
 * fewest or all of them (docs/verbs-contract.md)
 */
public record RegistrationRequest(
        long largestPieceBytes, long smallestPieceBytes, int maxRegions, List<Set<AccessFlag>> accessChoices) {

    /** The largest piece that is known to have carried verified traffic on hardware. */
    public static final long LARGEST_PIECE_BYTES = 1L << 30;

    /** A power of two below the smallest limit that a device is known to advertise. */
    public static final long SMALLEST_PIECE_BYTES = 8L << 20;

    /** A Thunderbolt device has 100 regions, of which MLX's JACCL takes 64. */
    public static final int MAX_REGIONS = 32;

    private static final Set<AccessFlag> ALL =
            Set.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ);

    /** @throws IllegalArgumentException if the sizes are not powers of two in order, or there is nothing to try */
    public RegistrationRequest {
        if (Long.bitCount(largestPieceBytes) != 1
                || Long.bitCount(smallestPieceBytes) != 1
                || smallestPieceBytes > largestPieceBytes
                || smallestPieceBytes < Slab.PAGE_BYTES) {
            throw new IllegalArgumentException("piece sizes must be powers of two in order, from " + Slab.PAGE_BYTES
                    + ": largest " + largestPieceBytes + ", smallest " + smallestPieceBytes);
        }
        if (maxRegions < 1 || accessChoices.isEmpty()) {
            throw new IllegalArgumentException("at least one region and one choice of access rights is needed");
        }
        accessChoices = List.copyOf(accessChoices);
    }

    /** Returns the request for two-sided SEND and RECV. */
    public static RegistrationRequest forSendMode() {
        return withAccess(List.of(Set.of(AccessFlag.LOCAL_WRITE), ALL));
    }

    /**
     * Returns the request for one-sided READ by this host: the bytes it reads land here, and no peer may read them. The
     * memory that a peer may read is registered apart, as {@link ReadableRegions}.
     */
    public static RegistrationRequest forReadersOwnUse() {
        return withAccess(List.of(Set.of(AccessFlag.LOCAL_WRITE)));
    }

    /** Returns the request for one-sided READ of the whole slab by the peer, which may then see all of it. */
    public static RegistrationRequest forReadMode() {
        return withAccess(List.of(Set.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_READ), ALL));
    }

    private static RegistrationRequest withAccess(List<Set<AccessFlag>> choices) {
        return new RegistrationRequest(LARGEST_PIECE_BYTES, SMALLEST_PIECE_BYTES, MAX_REGIONS, choices);
    }
}
