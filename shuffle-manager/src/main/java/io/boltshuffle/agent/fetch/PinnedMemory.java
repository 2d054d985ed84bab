package io.boltshuffle.agent.fetch;

import io.boltshuffle.rdma.memory.LeaseOwner;
import java.util.HashMap;
import java.util.Map;

/**
 * Counts the fetched memory that executors hold, together and each task: it decides when blocks are to be copied out at
 * once instead of read in place, so that slow readers never keep fetches from having memory.
 *
 * <p><b>Threads:</b> confined to the agent's loop.
 */
public final class PinnedMemory {

    private final long limitBytes;
    private final long ownerLimitBytes;
    private final Map<LeaseOwner, Long> byOwner = new HashMap<>();
    private long pinnedBytes;

    /**
     * @param limitBytes what all together may hold before blocks are copied out
     * @param ownerLimitBytes what one task may
     */
    public PinnedMemory(long limitBytes, long ownerLimitBytes) {
        this.limitBytes = limitBytes;
        this.ownerLimitBytes = ownerLimitBytes;
    }

    /** Counts bytes that were handed out; true if their reader must copy them and give them back at once. */
    public boolean add(LeaseOwner owner, long bytes) {
        pinnedBytes += bytes;
        long owned = byOwner.merge(owner, bytes, Long::sum);
        return pinnedBytes > limitBytes || owned > ownerLimitBytes;
    }

    public void remove(LeaseOwner owner, long bytes) {
        pinnedBytes -= bytes;
        byOwner.computeIfPresent(owner, (key, owned) -> owned == bytes ? null : owned - bytes);
    }

    boolean has(LeaseOwner owner) {
        return byOwner.containsKey(owner);
    }

    public long pinnedBytes() {
        return pinnedBytes;
    }
}
