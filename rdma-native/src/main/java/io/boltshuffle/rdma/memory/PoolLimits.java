package io.boltshuffle.rdma.memory;

/**
 * The bounds of a pool.
 *
 * @param ownerBytes the limit for all leases of one owner together; a single larger request is admitted while its owner
 * has nothing else and no other such request is outstanding
 * @param maxWaiters how many requests may wait
 * @param historyEvents how many events the ledger remembers
 */
public record PoolLimits(long ownerBytes, int maxWaiters, int historyEvents) {

    /** @throws IllegalArgumentException unless all are positive */
    public PoolLimits {
        if (ownerBytes <= 0 || maxWaiters <= 0 || historyEvents <= 0) {
            throw new IllegalArgumentException("limits must be positive: owner bytes " + ownerBytes + ", waiters "
                    + maxWaiters + ", history events " + historyEvents);
        }
    }
}
