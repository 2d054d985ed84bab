package io.boltshuffle.agent.session;

import io.boltshuffle.agent.base.AgentCounters;
import io.boltshuffle.agent.base.LoopClock;
import io.boltshuffle.agent.cable.ActiveLink;
import io.boltshuffle.agent.cable.LinkMeter;
import io.boltshuffle.agent.cable.LinkSet;
import io.boltshuffle.agent.cable.SimWindow;
import io.boltshuffle.agent.fetch.FetchOrder;
import io.boltshuffle.agent.fetch.FetchReceiver;
import io.boltshuffle.agent.fetch.PinnedMemory;
import io.boltshuffle.agent.fetch.PullClient;
import io.boltshuffle.agent.fetch.PullServices;
import io.boltshuffle.agent.files.Applications;
import io.boltshuffle.agent.files.OpenFiles;
import io.boltshuffle.agent.files.Readers;
import io.boltshuffle.agent.files.ServedFiles;
import io.boltshuffle.agent.files.ShuffledBlocks;
import io.boltshuffle.agent.live.LiveBlocks;
import io.boltshuffle.agent.peer.RemoteHosts;
import io.boltshuffle.agent.peer.RouteListener;
import io.boltshuffle.agent.serve.PullServer;
import io.boltshuffle.agent.serve.ServeServices;
import io.boltshuffle.agent.serve.SimPullCable;
import io.boltshuffle.agent.serve.StagingBudget;
import io.boltshuffle.agent.serve.Step;
import io.boltshuffle.client.ClientCounters;
import io.boltshuffle.client.FetchRequest;
import io.boltshuffle.client.SimExecutor;
import io.boltshuffle.conf.Settings;
import io.boltshuffle.rdma.memory.Lease;
import io.boltshuffle.rdma.memory.LeasePool;
import io.boltshuffle.rdma.memory.PoolLimits;
import io.boltshuffle.rdma.memory.Slab;
import io.boltshuffle.rdma.memory.SlabDescriptor;
import io.boltshuffle.rdma.memory.SlabLocation;
import io.boltshuffle.rdma.memory.SlabReader;
import io.boltshuffle.testing.SimLoop;
import io.boltshuffle.testing.SimPipe;
import io.boltshuffle.testing.StateDigest;
import io.boltshuffle.wire.AgentMessage;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.FetchDeadline;
import io.boltshuffle.wire.Registration;
import io.boltshuffle.wire.Secret;
import io.boltshuffle.wire.SlabFacts;
import io.boltshuffle.wire.WireLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One fetch of an executor from another host, everything between the task that reads and the file that is read: the
 * executor's session, the agent's, the pulls of both agents, their memory. Loops, reader threads, connections and the
 * cable do one step at a time, in the order that an exploration chooses.
 */
final class PullWorld {

    private static final String APPLICATION = "app-1";

    /** The parts that stay from run to run, because they take long to make. */
    record Ground(Slab readerSlab, Slab serverSlab, ShuffledBlocks blocks) {}

    private final Ground ground;
    private final SimLoop readerLoop = new SimLoop();
    private final SimLoop serverLoop = new SimLoop();
    private final SimPullCable cable = new SimPullCable(readerLoop, serverLoop);
    private final Threads disk = new Threads("a file is read");
    /** Closes to the peer what it may read, where peers read. */
    private final Threads control = new Threads("memory is deregistered");

    private final SimWindow window = new SimWindow(SimPullCable.SimRange::new, control);
    private final PullWire wire = new PullWire();
    private final SimPipe connection = SimPipe.connect(wire::ofReader, wire::ofServer);
    private final SimPipe socket = SimPipe.connect(frame -> {}, frame -> {});
    private final ServeServices readerServices;
    private final PinnedMemory pinned;
    private final ServeServices serverServices;
    private final PullClient pullClient;
    private final PullServer pullServer;
    private final ExecutorSession session;
    private final SimExecutor executor;
    private boolean peerLost;
    private boolean executorStopped;
    private boolean executorDead;
    private boolean agentStopped;

    /** How the peer takes staged blocks. */
    enum Serving {
        SENT,
        READ
    }

    /** Threads that do one kind of task: each that waits may be the next to run. */
    private static final class Threads implements Executor {
        private final String task;
        private final List<Runnable> waiting = new ArrayList<>();

        Threads(String task) {
            this.task = task;
        }

        @Override
        public void execute(Runnable task) {
            waiting.add(task);
        }

        void addSteps(Consumer<Step> steps) {
            for (Runnable next : List.copyOf(waiting)) {
                steps.accept(Step.of(task, () -> {
                    waiting.remove(next);
                    next.run();
                }));
            }
        }
    }

    /**
     * @param pulls how many it takes
     * @param pinnedBytes what tasks may hold before they are given copies
     */
    PullWorld(Ground ground, int pulls, long pinnedBytes, Serving serving) throws Exception {
        this.ground = ground;
        readerServices = services("reader", ground.readerSlab(), readerLoop);
        serverServices = services("server", ground.serverSlab(), serverLoop);
        pinned = new PinnedMemory(pinnedBytes, pinnedBytes);
        serverServices.served().applications().register(registration("1"));
        PullServices fetching = new PullServices(
                readerServices.settings(), readerLoop, readerServices.pool(), pinned, readerServices.counters());
        pullClient = new PullClient(fetching, cable.reader(), wire.to(connection));
        LinkSet links = serving == Serving.READ ? this::readableLinks : cable.server();
        pullServer = new PullServer(serverServices, "reader", links, wire.to(connection.other()), app -> true);
        connection.listener(wire.reader(pullClient, this::readerLosesPeer));
        connection.other().listener(wire.server(pullServer, this::serverLosesPeer));
        session = new ExecutorSessions(
                        fetching,
                        readerServices.served(),
                        Optional.empty(),
                        new OneHost(),
                        welcome(ground.readerSlab().descriptor()),
                        new SilentAgent())
                .newSession();
        socket.other().listener(session);
        session.start(socket.other());
        executor = new SimExecutor(registration("2"), socket, ground.blocks()::assertContent);
        executor.connect();
        drain();
        executor.fetch(new FetchRequest("server", "1", 7, ShuffledBlocks.forPulls(pulls)));
    }

    private List<ActiveLink> readableLinks() {
        return cable.server().up().stream()
                .map(link -> new ActiveLink(link.id(), link.link(), link.ranges(), window, link.meter()))
                .toList();
    }

    private ServeServices services(String host, Slab slab, SimLoop loop) throws Exception {
        LeasePool pool =
                new LeasePool(slab, slab.bytes(), new PoolLimits(slab.bytes(), 16, 16), new LoopClock(loop), loop);
        return new ServeServices(
                host,
                Settings.parse(Map.of("spark.boltshuffle.fetch.window", ShuffledBlocks.WINDOW)),
                loop,
                pool,
                new ServedFiles(
                        new Readers(loop, disk),
                        ground.blocks(),
                        ground.blocks().files(),
                        new Applications(ground.blocks(), Runnable::run, Runnable::run),
                        new LiveBlocks()),
                new StagingBudget(slab.bytes() / 2),
                new AgentCounters());
    }

    private static Registration registration(String executor) {
        return new Registration(APPLICATION, executor, List.of(), 1, "sort", Secret.of(new byte[] {1}));
    }

    private static AgentMessage.Welcome welcome(SlabDescriptor slab) {
        boolean shared = slab.location().kind() == SlabLocation.Kind.POSIX_SHARED_MEMORY;
        return new AgentMessage.Welcome(
                WireLimits.SESSION_VERSION,
                "reader",
                1,
                new SlabFacts(shared, slab.location().name(), slab.bytes(), slab.identityHigh(), slab.identityLow()));
    }

    /** The one host that can be asked. */
    private final class OneHost implements RemoteHosts {
        @Override
        public void fetch(RouteListener asker, FetchOrder order, FetchReceiver receiver) {
            if (peerLost) {
                receiver.onFailed(FailureReason.PEER_UNREACHABLE, "gone");
            } else {
                pullClient.start(order, receiver);
            }
        }

        @Override
        public void expect(RouteListener asker, List<String> hosts) {
            // It is there.
        }

        @Override
        public void forget(RouteListener asker) {
            // It stays.
        }
    }

    /** From now on other threads act in the place of a loop that has nothing to do. */
    void letLoopsSleep() {
        readerLoop.maySleep();
        serverLoop.maySleep();
    }

    /** All that may happen now, always in the same order. */
    List<Step> steps() {
        List<Step> steps = new ArrayList<>();
        addLoop("reading agent", readerLoop, steps::add);
        addLoop("serving agent", serverLoop, steps::add);
        addPipe("reading agent's peer", connection, steps::add);
        addPipe("serving agent's peer", connection.other(), steps::add);
        addPipe("reading agent's executor", socket.other(), steps::add);
        disk.addSteps(steps::add);
        control.addSteps(steps::add);
        cable.addSteps(steps::add);
        if (!executorDead) {
            addTimers("executor", executor.loop(), steps::add);
            addPipe("executor's agent", socket, steps::add);
            for (int i = 0; i < executor.holds(); i++) {
                int held = i;
                steps.add(Step.of("a task lets go of what it has", () -> executor.letGo(held)));
            }
        }
        addDisturbances(steps::add);
        return steps;
    }

    private static void addLoop(String whose, SimLoop loop, Consumer<Step> steps) {
        if (loop.hasTask()) {
            steps.accept(Step.of(whose + ": task", loop::runTask));
        }
        addTimers(whose, loop, steps);
    }

    private static void addTimers(String whose, SimLoop loop, Consumer<Step> steps) {
        for (int i = 0; i < loop.timers(); i++) {
            int timer = i;
            steps.accept(Step.disturbing(whose + ": timer " + i, () -> loop.fire(timer)));
        }
    }

    private static void addPipe(String whose, SimPipe end, Consumer<Step> steps) {
        if (end.hasFrame()) {
            steps.accept(Step.of(whose + ": message", end::deliver));
        }
        if (end.mayEnd()) {
            steps.accept(Step.of(whose + ": end", end::end));
        }
    }

    private void addDisturbances(Consumer<Step> steps) {
        if (cable.reader().isUp() && cable.server().isUp()) {
            steps.accept(Step.disturbing("link fails at the reader", cable.reader()::goDown));
            steps.accept(Step.disturbing("link fails at the server", cable.server()::goDown));
        }
        if (connection.isIntact()) {
            steps.accept(Step.disturbing("the control connection breaks", connection::breakOff));
        }
        if (socket.isIntact() && !executorStopped) {
            steps.accept(Step.disturbing("the executor stops", this::stopExecutor));
            steps.accept(Step.disturbing("the executor is killed", this::killExecutor));
        }
        if (!agentStopped) {
            steps.accept(Step.disturbing("the reading agent stops", this::stopAgent));
        }
    }

    private void stopExecutor() {
        executorStopped = true;
        executor.stop();
    }

    private void killExecutor() {
        executorDead = true;
        socket.breakOff();
    }

    private void stopAgent() {
        agentStopped = true;
        connection.close();
        readerLosesPeer();
        session.goodbye("stopping");
    }

    private void readerLosesPeer() {
        peerLost = true;
        cable.reader().onChannelLost("the peer is gone");
        pullClient.close(FailureReason.PEER_UNREACHABLE, "the peer is gone");
    }

    private void serverLosesPeer() {
        cable.server().onChannelLost("the peer is gone");
        pullServer.close();
    }

    /** Asserts what holds in every state. */
    void check() {
        if (!executorDead) {
            executor.assertIntact();
        }
    }

    long digest() {
        return new StateDigest()
                .ignore(
                        Ground.class,
                        ShuffledBlocks.class,
                        AgentCounters.class,
                        ClientCounters.class,
                        FetchDeadline.class,
                        LinkMeter.class,
                        Settings.class,
                        OpenFiles.class,
                        SlabReader.class,
                        Registration.class)
                .tell(
                        LeasePool.class,
                        pool -> pool.snapshot().usedBytes() * 31
                                + pool.snapshot().waiting())
                .tell(
                        Lease.class,
                        lease -> (lease.id() << 32) ^ lease.toString().hashCode())
                .of(this);
    }

    /** Lets all go on undisturbed, timers when nothing else is left, and asserts what must hold in the end. */
    void settle() {
        do {
            drain();
        } while (fireFirstTimer());
        if (!executorDead) {
            executor.assertEveryBlockEnded();
        }
        cable.assertQuiet();
        wire.assertAnswered(connection.isIntact());
        assertEmpty(readerServices, pullClient.fetchCount());
        assertEmpty(serverServices, pullServer.pullCount());
        if (pinned.pinnedBytes() != 0) {
            throw new AssertionError(pinned.pinnedBytes() + " bytes are pinned in the end");
        }
        pullServer.close(); // areas are kept open for the next pull of the session
        drain();
        if (window.openAreas() != 0) {
            throw new AssertionError("a peer may read " + window.openAreas() + " areas in the end");
        }
        readerServices.pool().close();
        serverServices.pool().close();
    }

    private void drain() {
        for (Step next = nextOrdinary(); next != null; next = nextOrdinary()) {
            next.action().run();
            check();
        }
    }

    private @Nullable Step nextOrdinary() {
        return steps().stream().filter(step -> !step.disturbing()).findFirst().orElse(null);
    }

    private boolean fireFirstTimer() {
        for (SimLoop loop :
                executorDead ? List.of(readerLoop, serverLoop) : List.of(readerLoop, serverLoop, executor.loop())) {
            if (loop.timers() > 0) {
                loop.fire(0);
                return true;
            }
        }
        return false;
    }

    private static void assertEmpty(ServeServices services, int open) {
        long staged = services.budget().usedBytes();
        if (open != 0 || staged != 0) {
            throw new AssertionError(
                    services.host() + " has " + open + " open and " + staged + " bytes staged in the end");
        }
    }
}
