package io.boltshuffle.agent.serve;

import io.boltshuffle.agent.base.AgentCounters;
import io.boltshuffle.agent.files.ServedFiles;
import io.boltshuffle.conf.Settings;
import io.boltshuffle.loop.Loop;
import io.boltshuffle.rdma.memory.LeasePool;
import io.boltshuffle.wire.SlabShares;

/**
 * The services that all served pulls of an agent share.
 *
 * @param host this agent's
 * @param loop owns the state of all pulls
 * @param pool registered memory; its answers come on the loop
 * @param served what other hosts may fetch from here
 * @param budget what peers may have staged at once
 * @param copies of blocks in memory, which pulls share
 */
public record ServeServices(
        String host,
        Settings settings,
        Loop loop,
        LeasePool pool,
        ServedFiles served,
        StagingBudget budget,
        AgentCounters counters,
        LaidCopies copies) {

    /** Creates services with no copy laid out yet. */
    public ServeServices(
            String host,
            Settings settings,
            Loop loop,
            LeasePool pool,
            ServedFiles served,
            StagingBudget budget,
            AgentCounters counters) {
        this(host, settings, loop, pool, served, budget, counters, new LaidCopies(loop, pool, served.live(), budget));
    }

    /** Returns the largest block of an owner's memory that is served. */
    long largestLiveBlock() {
        return new SlabShares(pool.slab().bytes()).largestLiveBlock();
    }

    /** Returns the memory for which pulls wait if their blocks are not there to be offered. */
    StagingMemory stagingMemory() {
        return copies.stagingMemory();
    }
}
