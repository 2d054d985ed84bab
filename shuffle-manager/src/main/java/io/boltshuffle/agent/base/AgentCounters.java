package io.boltshuffle.agent.base;

import io.boltshuffle.rdma.link.LinkFailure;
import io.boltshuffle.wire.FailureReason;
import java.util.EnumMap;
import java.util.Map;

/** Counters of the agent's work so far, which only grow. Confined to the agent's loop. */
public final class AgentCounters {

    private long fetches;
    private long fetchedBlocks;
    private long fetchedBytes;
    private long servedPulls;
    private long servedBytes;
    private long servedFromMemoryBytes;
    private long copiedOutBytes;
    private final Map<FailureReason, Long> failedFetches = new EnumMap<>(FailureReason.class);
    private final Map<LinkFailure.Reason, Long> failedLinks = new EnumMap<>(LinkFailure.Reason.class);

    /**
     * A copy for the status.
     *
     * @param servedFromMemoryBytes of the served bytes those of blocks in memory, for which no file was read
     * @param failedLinks links that went down, by reason; those that found damaged bytes are under {@code
     *     CHECKSUM_MISMATCH}
     */
    public record Values(
            long fetches,
            long fetchedBlocks,
            long fetchedBytes,
            long servedPulls,
            long servedBytes,
            long servedFromMemoryBytes,
            long copiedOutBytes,
            Map<FailureReason, Long> failedFetches,
            Map<LinkFailure.Reason, Long> failedLinks) {}

    public void fetchStarted() {
        fetches++;
    }

    public void fetched(int blocks, long bytes) {
        fetchedBlocks += blocks;
        fetchedBytes += bytes;
    }

    public void fetchFailed(FailureReason reason) {
        failedFetches.merge(reason, 1L, Long::sum);
    }

    public void linkFailed(LinkFailure.Reason reason) {
        failedLinks.merge(reason, 1L, Long::sum);
    }

    public void copiedOut(long bytes) {
        copiedOutBytes += bytes;
    }

    public void served(long bytes) {
        servedPulls++;
        servedBytes += bytes;
    }

    public void servedFromMemory(long bytes) {
        servedFromMemoryBytes += bytes;
    }

    public Values values() {
        return new Values(
                fetches,
                fetchedBlocks,
                fetchedBytes,
                servedPulls,
                servedBytes,
                servedFromMemoryBytes,
                copiedOutBytes,
                Map.copyOf(failedFetches),
                Map.copyOf(failedLinks));
    }
}
