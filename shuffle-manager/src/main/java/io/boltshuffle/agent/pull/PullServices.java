package io.boltshuffle.agent.pull;

import io.boltshuffle.agent.stage.ServedFiles;
import io.boltshuffle.conf.Options;
import io.boltshuffle.conf.Settings;
import io.boltshuffle.loop.Loop;
import io.boltshuffle.rdma.memory.LeasePool;

/**
 * What all pulls of an agent share, in both directions.
 *
 * @param host this agent's
 * @param loop owns the state of all pulls
 * @param pool registered memory; its answers come on the loop
 * @param served what other hosts may fetch from here
 * @param pinned what executors of this host hold of fetched memory
 * @param copies of blocks in memory, which pulls share
 * @param partBytes how much of a pull that is served alone is offered first, while the rest is read
 */
public record PullServices(
        String host,
        Settings settings,
        Loop loop,
        LeasePool pool,
        ServedFiles served,
        PinnedMemory pinned,
        AgentCounters counters,
        LaidCopies copies,
        long partBytes) {

    /** What is read in a third of a millisecond, which a message and a change of threads are worth. */
    private static final long PART_BYTES = 2 << 20;

    /** More than any pull has. */
    private static final long WHOLE_BYTES = 1L << 40;

    /** For what reads, checks and moves at both ends: with fewer, nothing is gained. */
    private static final int ENOUGH_PROCESSORS = 4;

    /** With no copy laid out yet. */
    public PullServices(
            String host,
            Settings settings,
            Loop loop,
            LeasePool pool,
            ServedFiles served,
            PinnedMemory pinned,
            AgentCounters counters) {
        this(
                host,
                settings,
                loop,
                pool,
                served,
                pinned,
                counters,
                new LaidCopies(loop, pool, served),
                partBytes(settings));
    }

    private static long partBytes(Settings settings) {
        boolean comesInParts = switch (settings.get(Options.FETCH_PARTS)) {
            case AUTO -> Runtime.getRuntime().availableProcessors() >= ENOUGH_PROCESSORS;
            case ON -> true;
            case OFF -> false;
        };
        return comesInParts ? PART_BYTES : WHOLE_BYTES;
    }

    /** The same, with parts of this size. */
    public PullServices inPartsOf(long bytes) {
        return new PullServices(host, settings, loop, pool, served, pinned, counters, copies, bytes);
    }

    /** @param summed whether the link computes checksums of what it sends */
    public void linkIsUp(boolean summed) {
        served.outputs().linkIsUp(summed);
    }

    /** What pulls of blocks wait for that are not there to be offered. */
    StagingMemory stagingMemory() {
        return copies.stagingMemory();
    }
}
