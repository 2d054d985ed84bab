package io.boltshuffle.client;

import io.boltshuffle.conf.Options;
import io.boltshuffle.os.MemoryGroup;
import java.util.Optional;

/**
 * Says whether a memory cgroup has room for an agent beside the executor that would start it. The agent belongs to the
 * executor's group, such as that of its container, and so does the slab. A group with just enough for the executor's
 * heap would have the kernel end the executor later, which lives without the plugin.
 */
final class AgentRoom {

    /** The memory that the process of an agent takes beside its slab. */
    private static final long PROCESS_BYTES = 128L << 20;

    /** This part of the limit stays free for what an executor takes beside its heap, as Spark itself reckons. */
    private static final int OVERHEAD_PART = 10;

    private AgentRoom() {}

    /**
     * Returns what is short and what to do about it; empty if there is room, or no group has a limit.
     *
     * @param heapToCome what the heap of this process may still grow by, in bytes
     */
    static Optional<String> shortage(long slabBytes, Optional<MemoryGroup> tightest, long heapToCome) {
        if (tightest.isEmpty()) {
            return Optional.empty();
        }
        MemoryGroup group = tightest.get();
        long room = group.freeBytes() - heapToCome - group.limitBytes() / OVERHEAD_PART - PROCESS_BYTES;
        if (slabBytes <= room) {
            return Optional.empty();
        }
        return Optional.of("the memory cgroup " + group.directory() + " is limited to " + group.limitBytes()
                + " bytes, which leaves " + Math.max(0, room) + " for an agent's slab of " + slabBytes
                + " beside the heap of this process; set " + Options.AGENT_SLAB.key()
                + " to less, raise the limit (spark.executor.memoryOverhead), or run 'bolt agent' outside of it");
    }
}
