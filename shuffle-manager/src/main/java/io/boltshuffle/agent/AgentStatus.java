package io.boltshuffle.agent;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.boltshuffle.agent.base.AgentCounters;
import io.boltshuffle.agent.cable.PortStatus;
import io.boltshuffle.agent.files.HangingReads;
import io.boltshuffle.agent.live.LiveStatus;
import io.boltshuffle.agent.peer.PeerStatus;
import io.boltshuffle.agent.session.ExecutorStatus;
import io.boltshuffle.rdma.memory.PoolSnapshot;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The agent's report about itself: the whole of {@code bolt agent status}.
 *
 * @param listening the addresses at which it hears other agents, or why they may not find it there
 * @param clusterSecret whether other agents must know the cluster's secret; that of an application they must know in
 *     any case
 * @param pausedUntil when a pause ends, as ISO 8601 has it, or the command that ends it; empty without one
 * @param registered executors whose files it serves, by application; those that are gone included
 * @param executors executors in session
 * @param live blocks that are laid out by the processes that have them
 * @param hangingReads what of this host's storage hangs
 */
public record AgentStatus(
        String host,
        long processId,
        long uptimeMillis,
        String provider,
        String listening,
        boolean clusterSecret,
        String pausedUntil,
        Map<String, Set<String>> registered,
        List<ExecutorStatus> executors,
        List<PeerStatus> peers,
        List<PortStatus> ports,
        Memory memory,
        LiveStatus live,
        List<HangingReads> hangingReads,
        AgentCounters.Values counters) {

    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * Registered memory, in bytes.
     *
     * @param quarantinedBytes given up because it could not be shown that no device writes there any more
     * @param leakedRegions memory regions that could not be deregistered; their memory stays mapped until the agent
     *     ends
     */
    public record Memory(
            long slabBytes,
            long usedBytes,
            long largestFreeBytes,
            long stagedBytes,
            long pinnedBytes,
            long quarantinedBytes,
            long leakedRegions,
            int waiting) {

        static Memory of(PoolSnapshot pool, long stagedBytes, long pinnedBytes) {
            return new Memory(
                    pool.totalBytes(),
                    pool.usedBytes(),
                    pool.largestFreeBytes(),
                    stagedBytes,
                    pinnedBytes,
                    pool.quarantined().bytes(),
                    pool.leakedRegions(),
                    pool.waiting());
        }
    }

    String toJson() {
        try {
            return JSON.writeValueAsString(this);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a status that is not JSON", e);
        }
    }
}
