package io.boltshuffle.agent.serve;

import io.boltshuffle.agent.base.AgentCounters;
import io.boltshuffle.agent.base.LoopClock;
import io.boltshuffle.agent.fetch.PinnedMemory;
import io.boltshuffle.agent.fetch.PullServices;
import io.boltshuffle.agent.files.Applications;
import io.boltshuffle.agent.files.BlockLocator;
import io.boltshuffle.agent.files.OpenFiles;
import io.boltshuffle.agent.files.Readers;
import io.boltshuffle.agent.files.ServedFiles;
import io.boltshuffle.agent.files.ShuffledBlocks;
import io.boltshuffle.agent.live.LiveBlocks;
import io.boltshuffle.conf.Settings;
import io.boltshuffle.rdma.memory.Lease;
import io.boltshuffle.rdma.memory.LeaseOwner;
import io.boltshuffle.rdma.memory.LeasePool;
import io.boltshuffle.rdma.memory.PoolLimits;
import io.boltshuffle.rdma.memory.Slab;
import io.boltshuffle.rdma.memory.SlabException;
import io.boltshuffle.rdma.memory.SlabLocation;
import io.boltshuffle.testing.SimLoop;
import io.boltshuffle.wire.BlockRange;
import io.boltshuffle.wire.ControlMessage;
import io.boltshuffle.wire.PullRequest;
import io.boltshuffle.wire.Registration;
import io.boltshuffle.wire.Secret;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Sets up one side of a pull, with a loop and a reader that do one thing at a time, when they are told. */
public final class PullFixture implements AutoCloseable {

    static final String APPLICATION = "app-1";
    static final String EXECUTOR = "1";

    public final SimLoop loop = new SimLoop();
    final Deque<Runnable> reader = new ArrayDeque<>();
    public final List<ControlMessage> said = new ArrayList<>();
    final OpenFiles files = new OpenFiles(1, TimeUnit.HOURS.toNanos(1));
    public final LeasePool pool;
    public final ServeServices services;
    public final PullServices fetching;
    private final Slab slab;

    public PullFixture(Path directory, long slabBytes, BlockLocator source) throws Exception {
        slab = Slab.create(SlabLocation.file(directory.resolve("slab")), slabBytes);
        pool = new LeasePool(slab, slabBytes, new PoolLimits(slabBytes, 16, 16), new LoopClock(loop), loop);
        services = new ServeServices(
                "here",
                Settings.parse(Map.of("spark.boltshuffle.fetch.window", ShuffledBlocks.WINDOW)),
                loop,
                pool,
                new ServedFiles(
                        new Readers(loop, reader::add),
                        source,
                        files,
                        new Applications(source, Runnable::run, Runnable::run),
                        new LiveBlocks()),
                new StagingBudget(slabBytes),
                new AgentCounters());
        fetching = new PullServices(
                services.settings(), loop, pool, new PinnedMemory(slabBytes, slabBytes), services.counters());
        services.served().applications().register(registration(EXECUTOR));
    }

    public static Registration registration(String executor) {
        return new Registration(APPLICATION, executor, List.of(), 1, "sort", Secret.of(new byte[] {1}));
    }

    /** @param blocks asked for by their map, as {@link ShuffledBlocks} has them */
    static PullRequest request(long... blocks) {
        List<BlockRange> ranges = new ArrayList<>();
        for (long map : blocks) {
            ranges.add(new BlockRange(0, map, 0, 1));
        }
        return new PullRequest(APPLICATION, EXECUTOR, TimeUnit.HOURS.toMillis(1), 1 << 20, 0, ranges);
    }

    public Lease lease(long bytes) {
        return pool.tryAcquire(new LeaseOwner("the test"), bytes).orElseThrow();
    }

    /** Lets all happen that happens by itself; no timer fires. */
    public void run() {
        while (loop.hasTask() || !reader.isEmpty()) {
            if (loop.hasTask()) {
                loop.runTask();
            } else {
                reader.remove().run();
            }
        }
    }

    @Override
    public void close() throws SlabException {
        pool.close();
        slab.close();
        files.close();
    }
}
