package io.boltshuffle.rdma;

/**
 * The limits that a device reports ({@code ibv_query_device}). Counts are machine-wide budgets, shared by all
 * processes.
 */
public record DeviceLimits(
        long maxMemoryRegionBytes,
        int maxQueuePairs,
        int maxQueuePairDepth,
        int maxScatterGather,
        int maxCompletionQueues,
        int maxCompletionQueueEntries,
        int maxMemoryRegions,
        int maxProtectionDomains,
        int ports) {}
