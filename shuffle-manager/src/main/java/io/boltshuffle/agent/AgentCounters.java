package io.boltshuffle.agent;

import io.boltshuffle.wire.FailureReason;
import java.util.EnumMap;
import java.util.Map;

/** What the agent did so far. Only grows. Confined to the agent's loop. */
public final class AgentCounters {

    private long fetches;
    private long fetchedBlocks;
    private long fetchedBytes;
    private long servedPulls;
    private long servedBytes;
    private long copiedOutBytes;
    private final Map<FailureReason, Long> failedFetches = new EnumMap<>(FailureReason.class);

    /** A copy for the status. */
    public record Values(
            long fetches,
            long fetchedBlocks,
            long fetchedBytes,
            long servedPulls,
            long servedBytes,
            long copiedOutBytes,
            Map<FailureReason, Long> failedFetches) {}

    void fetchStarted() {
        fetches++;
    }

    void fetched(int blocks, long bytes) {
        fetchedBlocks += blocks;
        fetchedBytes += bytes;
    }

    void fetchFailed(FailureReason reason) {
        failedFetches.merge(reason, 1L, Long::sum);
    }

    void copiedOut(long bytes) {
        copiedOutBytes += bytes;
    }

    void served(long bytes) {
        servedPulls++;
        servedBytes += bytes;
    }

    Values values() {
        return new Values(
                fetches,
                fetchedBlocks,
                fetchedBytes,
                servedPulls,
                servedBytes,
                copiedOutBytes,
                Map.copyOf(failedFetches));
    }
}
