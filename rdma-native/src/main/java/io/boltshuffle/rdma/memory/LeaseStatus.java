package io.boltshuffle.rdma.memory;

/**
 * An outstanding lease, as a list for people shows it.
 *
 * @param offset start within the slab
 * @param bytes the requested size
 * @param posted how many work requests may still touch it
 * @param grantedNanos when, by the pool's clock
 * @param quarantineReason empty unless quarantined
 */
public record LeaseStatus(
        long leaseId,
        LeaseOwner owner,
        LeaseState state,
        long offset,
        long bytes,
        int posted,
        long grantedNanos,
        String quarantineReason) {}
