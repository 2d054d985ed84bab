package io.boltshuffle.rdma.memory;

import java.util.List;
import java.util.Map;

/**
 * A consistent picture of a pool.
 *
 * @param totalBytes size of the slab
 * @param usedBytes all memory that is not free, in whole frames: held, draining and quarantined
 * @param largestFreeBytes longest free range
 * @param waiting how many requests wait
 * @param waitingBytes how much they want together
 * @param draining leases that were released while posted work was outstanding
 * @param quarantined withdrawn leases, which count for no owner
 * @param leakedRegions as {@link Slab#leakedRegions()}
 * @param granted how many leases have been granted so far
 * @param refusals how many requests have got no lease so far, by reason
 * @param owners what each owner has
 */
public record PoolSnapshot(
        long totalBytes,
        long usedBytes,
        long largestFreeBytes,
        int waiting,
        long waitingBytes,
        Use draining,
        Use quarantined,
        long leakedRegions,
        long granted,
        Map<LeaseUnavailableException.Reason, Long> refusals,
        Map<LeaseOwner, Use> owners) {

    public PoolSnapshot {
        refusals = Map.copyOf(refusals);
        owners = Map.copyOf(owners);
    }

    /** A number of leases and the bytes of their whole frames. */
    public record Use(int leases, long bytes) {

        static Use of(List<LeaseStatus> leases, LeaseState state) {
            List<LeaseStatus> ofState =
                    leases.stream().filter(lease -> lease.state() == state).toList();
            long frames = ofState.stream()
                    .mapToLong(lease -> Lease.framesOf(lease.bytes()))
                    .sum();
            return new Use(ofState.size(), frames * Lease.FRAME_BYTES);
        }
    }
}
