package io.boltshuffle.agent;

import io.boltshuffle.agent.stage.BlockSource;
import io.boltshuffle.agent.stage.OpenFiles;
import io.boltshuffle.agent.stage.Readers;
import io.boltshuffle.agent.stage.StagingBudget;
import io.boltshuffle.agent.pull.AgentCounters;
import io.boltshuffle.agent.pull.PinnedMemory;
import io.boltshuffle.agent.peer.AgentIdentity;
import io.boltshuffle.agent.stage.Applications;

import io.boltshuffle.conf.Settings;
import io.boltshuffle.loop.Loop;
import io.boltshuffle.rdma.memory.LeasePool;
import io.boltshuffle.topology.Topology;
import java.util.Optional;

/**
 * What all parts of an agent share.
 *
 * @param loop owns the state of all of them
 * @param pool registered memory; its answers come on the loop
 * @param readers threads that may touch the disk
 * @param source finds blocks
 * @param files reads them
 * @param staging what peers may have staged at once
 * @param pinned what executors hold of fetched memory
 * @param topology who is cabled to whom, if a file says it
 */
public record AgentServices(
        AgentIdentity identity,
        Settings settings,
        Loop loop,
        LeasePool pool,
        Readers readers,
        BlockSource source,
        OpenFiles files,
        Applications applications,
        StagingBudget staging,
        PinnedMemory pinned,
        Optional<Topology> topology,
        AgentCounters counters) {}
