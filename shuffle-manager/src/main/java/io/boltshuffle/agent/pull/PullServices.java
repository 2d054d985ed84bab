package io.boltshuffle.agent.pull;

import io.boltshuffle.agent.stage.ServedFiles;
import io.boltshuffle.conf.Settings;
import io.boltshuffle.loop.Loop;
import io.boltshuffle.rdma.memory.LeasePool;

/**
 * The services that all pulls of an agent share, in both directions.
 *
 * @param host this agent's
 * @param loop owns the state of all pulls
 * @param pool registered memory; its answers come on the loop
 * @param served what other hosts may fetch from here
 * @param pinned what executors of this host hold of fetched memory
 * @param copies of blocks in memory, which pulls share
 */
public record PullServices(
        String host,
        Settings settings,
        Loop loop,
        LeasePool pool,
        ServedFiles served,
        PinnedMemory pinned,
        AgentCounters counters,
        LaidCopies copies) {

    /** Creates services with no copy laid out yet. */
    public PullServices(
            String host,
            Settings settings,
            Loop loop,
            LeasePool pool,
            ServedFiles served,
            PinnedMemory pinned,
            AgentCounters counters) {
        this(host, settings, loop, pool, served, pinned, counters, new LaidCopies(loop, pool, served));
    }

    /** Returns the memory for which pulls wait if their blocks are not there to be offered. */
    StagingMemory stagingMemory() {
        return copies.stagingMemory();
    }
}
