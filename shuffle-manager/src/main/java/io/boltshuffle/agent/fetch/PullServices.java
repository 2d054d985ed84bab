package io.boltshuffle.agent.fetch;

import io.boltshuffle.agent.base.AgentCounters;
import io.boltshuffle.conf.Settings;
import io.boltshuffle.loop.Loop;
import io.boltshuffle.rdma.memory.LeasePool;

/**
 * The services that all fetches of an agent share.
 *
 * @param loop owns the state of all fetches
 * @param pool registered memory; its answers come on the loop
 * @param pinned what executors of this host hold of fetched memory
 */
public record PullServices(Settings settings, Loop loop, LeasePool pool, PinnedMemory pinned, AgentCounters counters) {}
