package io.boltshuffle.agent.peer;

import io.boltshuffle.agent.base.AgentCounters;
import io.boltshuffle.agent.base.LoopClock;
import io.boltshuffle.agent.base.RefusedException;
import io.boltshuffle.agent.fetch.PinnedMemory;
import io.boltshuffle.agent.fetch.PullServices;
import io.boltshuffle.agent.files.Applications;
import io.boltshuffle.agent.files.BlockLocator;
import io.boltshuffle.agent.files.NoBlocks;
import io.boltshuffle.agent.files.OpenFiles;
import io.boltshuffle.agent.files.Readers;
import io.boltshuffle.agent.files.ServedFiles;
import io.boltshuffle.agent.live.LiveBlocks;
import io.boltshuffle.agent.serve.ServeServices;
import io.boltshuffle.agent.serve.StagingBudget;
import io.boltshuffle.conf.Settings;
import io.boltshuffle.loop.Loop;
import io.boltshuffle.rdma.memory.LeasePool;
import io.boltshuffle.rdma.memory.PoolLimits;
import io.boltshuffle.rdma.memory.Slab;
import io.boltshuffle.rdma.memory.SlabException;
import io.boltshuffle.rdma.memory.SlabLocation;
import io.boltshuffle.testing.SimLoop;
import io.boltshuffle.wire.Registration;
import io.boltshuffle.wire.Secret;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Sets up agents whose files are not read, with one slab, which stays and serves all of them. */
final class TrustFixture implements AutoCloseable {

    static final String APPLICATION = "app-1";
    static final Secret SECRET = Secret.of(new byte[] {1, 2, 3});

    private static final long SLAB_BYTES = 1 << 20;

    private final Slab slab;
    private final LeasePool pool;
    private final OpenFiles files = new OpenFiles(1, TimeUnit.HOURS.toNanos(1));
    private final Map<String, String> settings;

    TrustFixture(Path directory, Map<String, String> settings) throws Exception {
        this.slab = Slab.create(SlabLocation.file(directory.resolve("slab")), SLAB_BYTES);
        Loop loop = new SimLoop();
        this.pool = new LeasePool(slab, SLAB_BYTES, new PoolLimits(SLAB_BYTES, 16, 16), new LoopClock(loop), loop);
        this.settings = settings;
    }

    /** The services of a host's agent. */
    PeerServices services(String host, long instance, Loop loop) {
        BlockLocator source = new NoBlocks();
        AgentCounters counters = new AgentCounters();
        PullServices fetching = new PullServices(
                Settings.parse(settings), loop, pool, new PinnedMemory(SLAB_BYTES, SLAB_BYTES), counters);
        return new PeerServices(
                new AgentIdentity(host, instance),
                Optional.empty(),
                fetching,
                new ServeServices(
                        host,
                        fetching.settings(),
                        loop,
                        pool,
                        new ServedFiles(
                                new Readers(loop, Runnable::run),
                                source,
                                files,
                                new Applications(source, Runnable::run, Runnable::run),
                                new LiveBlocks()),
                        new StagingBudget(SLAB_BYTES),
                        counters),
                InstantSource.fixed(Instant.EPOCH));
    }

    /** An executor without directories: its application is forgotten when it has no session. */
    static void register(PeerServices services, String application, Secret secret) throws RefusedException {
        services.serving()
                .served()
                .applications()
                .register(new Registration(application, "1", List.of(), 1, "sort", secret));
    }

    /** The last executor is gone. */
    static void forgetAll(PeerServices services) {
        services.serving().served().applications().forgetEnded(() -> Set.of());
    }

    @Override
    public void close() throws SlabException {
        files.close();
        pool.close();
        slab.close();
    }
}
