package io.boltshuffle.agent;

import io.boltshuffle.agent.base.AgentCounters;
import io.boltshuffle.agent.base.CloseStack;
import io.boltshuffle.agent.base.LoopClock;
import io.boltshuffle.agent.cable.PausablePorts;
import io.boltshuffle.agent.cable.PortsFactory;
import io.boltshuffle.agent.cable.TopologyFile;
import io.boltshuffle.agent.fetch.PinnedMemory;
import io.boltshuffle.agent.fetch.PullServices;
import io.boltshuffle.agent.files.Applications;
import io.boltshuffle.agent.files.BlockLocator;
import io.boltshuffle.agent.files.ExternalShuffleBlockSource;
import io.boltshuffle.agent.files.OpenFiles;
import io.boltshuffle.agent.files.ReaderPool;
import io.boltshuffle.agent.files.Readers;
import io.boltshuffle.agent.files.ServedFiles;
import io.boltshuffle.agent.live.LiveBlocks;
import io.boltshuffle.agent.peer.AgentIdentity;
import io.boltshuffle.agent.peer.ClusterSecret;
import io.boltshuffle.agent.peer.ControlPort;
import io.boltshuffle.agent.peer.HostAddresses;
import io.boltshuffle.agent.peer.PeerServices;
import io.boltshuffle.agent.serve.ServeServices;
import io.boltshuffle.agent.serve.StagingBudget;
import io.boltshuffle.agent.watch.AgentWatch;
import io.boltshuffle.agent.watch.DescriptorWatch;
import io.boltshuffle.conf.Options;
import io.boltshuffle.conf.Settings;
import io.boltshuffle.loop.EventLoop;
import io.boltshuffle.loop.Loop;
import io.boltshuffle.rdma.memory.LeaseLeakException;
import io.boltshuffle.rdma.memory.LeasePool;
import io.boltshuffle.rdma.memory.PoolLimits;
import io.boltshuffle.rdma.memory.RegistrationRequest;
import io.boltshuffle.rdma.memory.Slab;
import io.boltshuffle.rdma.memory.SlabDescriptor;
import io.boltshuffle.rdma.memory.SlabException;
import io.boltshuffle.rdma.memory.SlabLocation;
import io.boltshuffle.topology.Topology;
import io.boltshuffle.trace.FetchTrace;
import io.boltshuffle.wire.AgentMessage;
import io.boltshuffle.wire.MeetingPlace;
import io.boltshuffle.wire.Secret;
import io.boltshuffle.wire.SlabFacts;
import io.boltshuffle.wire.SlabShares;
import io.boltshuffle.wire.WireLimits;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The agent of one host: owns slab, ports and links, serves the executors of this host and the agents of others.
 *
 * <p><b>Threads:</b> one loop owns all state. Files are read on the readers; names are looked up, and ports have their
 * work done, on threads of their own. {@link #start}, {@link #stop} and {@link #awaitEnd} may be called from any
 * thread.
 *
 * <p><b>Ownership:</b> everything is opened on a close stack and closed in reverse when the agent ends.
 */
public final class Agent {

    private static final Logger LOG = LoggerFactory.getLogger(Agent.class);

    /**
     * Reading is copying from the page cache most of the time; more threads than these only take cores from tasks, and
     * more than there are cores push each other's bytes out of the caches. Two at least: one may wait for a disk.
     */
    private static final int LEAST_READERS = 2;

    private static final int MOST_READERS = 4;

    private static final long OPEN_FILE_IDLE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final int MAX_WAITERS = 1 << 16;
    private static final int HISTORY_EVENTS = 1 << 12;

    private final AgentStart start;
    private final MeetingPlace place;
    private final CloseStack closing = new CloseStack();
    private final CompletableFuture<Ending> ending = new CompletableFuture<>();
    private final CompletableFuture<@Nullable Void> loopEnd = new CompletableFuture<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    /** @param asked whether somebody, or idleness, asked for it: everything else is a failure that may come again */
    private record Ending(boolean asked, String why) {}

    private Agent(AgentStart start) throws IOException {
        this.start = start;
        this.place = MeetingPlace.open(start.root(), start.host());
    }

    /**
     * Starts the agent of a host.
     *
     * @throws IOException if another one runs already, or something it needs is missing; nothing is left behind then
     */
    static Agent start(AgentStart start, PortsFactory ports) throws IOException {
        return start(start, ports, HostAddresses.ofSystem());
    }

    static Agent start(AgentStart start, PortsFactory ports, HostAddresses addresses) throws IOException {
        Agent agent = new Agent(start);
        try {
            agent.open(ports, addresses);
            Thread closer = new Thread(agent::closeWhenAsked, "bolt-agent-closer");
            closer.start();
            return agent;
        } catch (IOException | RuntimeException | Error e) {
            agent.closing.close();
            throw e;
        }
    }

    /** Asks the agent to end in good order. Harmless when it ended already. */
    public void stop(String why) {
        ending.complete(new Ending(true, why));
    }

    /** Waits until the agent begins to end: from then on it should not take long. */
    void awaitStop() {
        ending.join();
    }

    /** Waits until nothing is left of the agent. */
    public void awaitEnd() {
        ended.join();
    }

    /** Returns whether nothing is left of the agent within this time. */
    boolean awaitEnd(long time, TimeUnit unit) {
        return ended.copy()
                .orTimeout(time, unit)
                .handle((unused, late) -> late == null)
                .join();
    }

    /**
     * Returns whether the agent ends, or ended, because it was asked to, and not for a defect or because it lost what
     * it needs.
     */
    public boolean endsAsAsked() {
        return ending.isDone() && ending.join().asked();
    }

    private void closeWhenAsked() {
        Ending how = ending.join();
        LOG.info("agent of {} stops: {}", start.host(), how.why());
        if (how.asked()) {
            forgetStarts(); // while the lock is held: a successor's would go with them
        }
        closing.close();
        ended.complete(null);
    }

    /** An agent that ended because it was asked to is no sign of a crash loop. */
    private void forgetStarts() {
        try {
            Files.deleteIfExists(place.startHistory());
        } catch (IOException e) {
            LOG.warn("the history of starts stays: {}", e.toString());
        }
    }

    private void open(PortsFactory portsFactory, HostAddresses addresses) throws IOException {
        Settings settings = start.settings();
        FetchTrace.appendTo(settings.get(Options.FETCH_TRACE));
        List<InetAddress> own = addresses.toListenOn(start.host());
        lock();
        portsFactory.check();
        Optional<Topology> topology = TopologyFile.read(settings);
        Secret clusterSecret = ClusterSecret.read(settings);

        // Before there is a slab: a start that fails here must not have replaced that of the agent that has the port.
        List<ServerSocketChannel> bound = bind(own);
        closing.push("control port", () -> close(bound));
        Slab slab = Slab.create(SlabLocation.preferred(SlabName.of(place)), settings.get(Options.AGENT_SLAB));
        closing.push("slab", () -> close(slab));
        ReaderPool readers = new ReaderPool(readers(), InstantSource.system(), this::onDefect);
        closing.push("readers", readers::close);
        // The first proof in a virtual machine takes a tenth of a second, for which a fetch would wait.
        readers.execute(() -> Secret.of(new byte[] {0}).sign());
        OpenFiles files = OpenFiles.ofProcess(OPEN_FILE_IDLE_NANOS);
        closing.push("files", files);
        EventLoop loop = EventLoop.start("bolt-agent-loop", false, this::onLoopEnd);
        closing.push("loop", loop);
        loop.execute(() -> watchReads(loop, readers));
        SlabShares shares = new SlabShares(slab.bytes());
        LeasePool pool = pool(slab, shares, loop);
        closing.push("pool", () -> close(pool));
        PausablePorts ports = new PausablePorts(portsFactory.create(slab, pool));
        closing.push("ports", ports::close);

        // Of their own: what waits for a dead file system keeps neither pulls waiting, nor idle files open.
        ExecutorService directories = thread("bolt-agent-directories");
        closing.push("directories", directories::shutdownNow);
        ExecutorService idleFiles = thread("bolt-agent-idle-files");
        closing.push("idle files", idleFiles::shutdownNow);
        DescriptorWatch descriptors = DescriptorWatch.ofProcess(start.host());
        Runnable look = () -> {
            files.closeIdle(System.nanoTime());
            descriptors.look();
        };
        loop.execute(() -> tidyLater(loop, idleFiles, look));
        BlockLocator source = new ExternalShuffleBlockSource();
        Applications applications = new Applications(source, directories, loop);
        ServedFiles served = new ServedFiles(new Readers(loop, readers), source, files, applications, new LiveBlocks());
        StagingBudget budget = new StagingBudget(shares.stagedForPeers());
        AgentCounters counters = new AgentCounters();
        PinnedMemory pinned = new PinnedMemory(shares.heldByTasks(), shares.heldByOneTask());
        PeerServices services = new PeerServices(
                new AgentIdentity(start.host(), new SecureRandom().nextLong()),
                topology,
                new PullServices(settings, loop, pool, pinned, counters),
                new ServeServices(start.host(), settings, loop, pool, served, budget, counters),
                InstantSource.system());
        AgentParts parts = new AgentParts(
                start,
                services,
                readers::status,
                loop,
                ports,
                new ControlPort.Access(addresses, clusterSecret),
                welcome(slab),
                this::stop);
        onLoop(loop, () -> parts.listen(bound, place));
        closing.push("connections", () -> onLoop(loop, () -> parts.close("stopping")));
        AgentWatch watch = AgentWatch.start(place, slab, new WatchEvents(loop, parts));
        closing.push("watch", watch::close);
        LOG.info(
                "agent of {} is ready: {} and port {} of {} ({}), slab of {} bytes, verbs by {}",
                start.host(),
                place.socket(),
                settings.get(Options.AGENT_PORT),
                own,
                clusterSecret.isPresent()
                        ? "agents prove the cluster's secret"
                        : "agents prove the secret of an application that both serve",
                slab.bytes(),
                ports.provider());
    }

    private static ExecutorService thread(String name) {
        return Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        });
    }

    private List<ServerSocketChannel> bind(List<InetAddress> own) throws IOException {
        try {
            return ControlPort.bind(own, start.settings().get(Options.AGENT_PORT));
        } catch (ControlPort.PortTakenException e) {
            throw new IOException(e.getMessage() + "; " + RunningAgents.remedy(start, RunningAgents.others()), e);
        }
    }

    private static void close(List<ServerSocketChannel> bound) throws IOException {
        for (ServerSocketChannel socket : bound) {
            socket.close();
        }
    }

    /**
     * The agent's answers to the findings of its watch. They are called on the thread of the watch, which may wait for
     * the loop.
     */
    private final class WatchEvents implements AgentWatch.Listener {
        private final EventLoop loop;
        private final AgentParts parts;

        WatchEvents(EventLoop loop, AgentParts parts) {
            this.loop = loop;
            this.parts = parts;
        }

        @Override
        public void onSocketGone() throws IOException {
            onLoop(loop, () -> parts.listenForExecutors(place));
        }

        @Override
        public void onLost(String what) {
            LOG.error(
                    "agent of {}: {}: it ends, so that another can take its place; TCP meanwhile", start.host(), what);
            ending.complete(new Ending(false, what));
        }
    }

    /** One agent per place: a second one is refused with the reason, and leaves no trace. */
    private void lock() throws IOException {
        FileChannel file = FileChannel.open(place.agentLock(), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        closing.push("lock", file);
        FileLock lock = file.tryLock();
        if (lock == null) {
            throw new IOException("an agent of " + start.host() + " runs already in " + place);
        }
    }

    private AgentMessage.Welcome welcome(Slab slab) {
        SlabDescriptor descriptor = slab.descriptor();
        return new AgentMessage.Welcome(
                WireLimits.SESSION_VERSION,
                start.host(),
                ProcessHandle.current().pid(),
                new SlabFacts(
                        descriptor.location().kind() == SlabLocation.Kind.POSIX_SHARED_MEMORY,
                        descriptor.location().name(),
                        descriptor.bytes(),
                        descriptor.identityHigh(),
                        descriptor.identityLow()));
    }

    private static LeasePool pool(Slab slab, SlabShares shares, Loop loop) {
        PoolLimits limits = new PoolLimits(shares.leasedByOneTask(), MAX_WAITERS, HISTORY_EVENTS);
        // A request is answered even if the loop has ended: on the thread that gives the memory back.
        Executor callbacks = task -> loop.execute(task, task);
        return new LeasePool(slab, RegistrationRequest.SMALLEST_PIECE_BYTES, limits, new LoopClock(loop), callbacks);
    }

    /**
     * Executors may still read what they were given; they keep the memory mapped, and nothing else is written into it
     * any more.
     */
    private static void close(LeasePool pool) {
        try {
            pool.close();
        } catch (LeaseLeakException e) {
            LOG.info(
                    "{} bytes of memory are in use still: processes that have them keep them until they let go",
                    pool.snapshot().usedBytes());
            LOG.debug("leases that outlive the agent", e);
        }
    }

    /** Unlinks the slab. If executors still use it, it stays mapped here until this process ends. */
    private static void close(Slab slab) throws SlabException {
        try {
            slab.close();
        } catch (IllegalStateException e) {
            LOG.debug("the slab outlives the agent", e);
        }
    }

    /** Runs the work off the loop, because closing a file of a file system that hangs may hang, too. */
    private static void tidyLater(Loop loop, Executor disk, Runnable work) {
        loop.after(OPEN_FILE_IDLE_NANOS, () -> {
            try {
                disk.execute(() -> {
                    try {
                        work.run();
                    } finally {
                        loop.execute(() -> tidyLater(loop, disk, work));
                    }
                });
            } catch (RejectedExecutionException e) {
                LOG.debug("the agent ends, and closes all", e);
            }
        });
    }

    private static void watchReads(Loop loop, ReaderPool readers) {
        loop.after(ReaderPool.LOOK_NANOS, () -> {
            readers.look();
            watchReads(loop, readers);
        });
    }

    private static int readers() {
        return Math.max(
                LEAST_READERS, Math.min(MOST_READERS, Runtime.getRuntime().availableProcessors()));
    }

    private void onLoopEnd(@Nullable Throwable cause) {
        loopEnd.complete(null);
        if (cause != null) {
            onDefect(cause);
        }
    }

    private void onDefect(Throwable cause) {
        try {
            LOG.error("defect in the agent of {}: it stops, blocks go by TCP", start.host(), cause);
        } finally {
            // Also when there is no memory left to say it.
            ending.complete(new Ending(false, "defect: " + cause));
        }
    }

    /** A task for the loop that may fail. */
    @FunctionalInterface
    interface LoopTask {
        void run() throws IOException;
    }

    /** Runs a task on the loop. If the loop has ended, its channels are closed and there is nothing to do. */
    private void onLoop(EventLoop loop, LoopTask task) throws IOException {
        CompletableFuture<@Nullable IOException> done = new CompletableFuture<>();
        loop.execute(() -> {
            try {
                task.run();
                done.complete(null);
            } catch (IOException e) {
                done.complete(e);
            } catch (RuntimeException | Error e) {
                done.completeExceptionally(e);
            }
        });
        CompletableFuture.anyOf(done, loopEnd).orTimeout(10, TimeUnit.SECONDS).join();
        if (!done.isDone()) {
            return;
        }
        IOException failure = done.join();
        if (failure != null) {
            throw failure;
        }
    }
}
