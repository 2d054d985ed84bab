package io.boltshuffle.agent.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.agent.base.AgentCounters;
import io.boltshuffle.agent.base.LoopClock;
import io.boltshuffle.agent.fetch.FetchOrder;
import io.boltshuffle.agent.fetch.FetchReceiver;
import io.boltshuffle.agent.fetch.PinnedMemory;
import io.boltshuffle.agent.fetch.PullClient;
import io.boltshuffle.agent.fetch.PullServices;
import io.boltshuffle.agent.files.Applications;
import io.boltshuffle.agent.files.ExternalShuffleBlockSource;
import io.boltshuffle.agent.files.OpenFiles;
import io.boltshuffle.agent.files.Readers;
import io.boltshuffle.agent.files.ServedFiles;
import io.boltshuffle.agent.live.LiveBlocks;
import io.boltshuffle.agent.peer.RemoteHosts;
import io.boltshuffle.agent.peer.RouteListener;
import io.boltshuffle.agent.serve.PullServer;
import io.boltshuffle.agent.serve.ServeServices;
import io.boltshuffle.agent.serve.SimPullCable;
import io.boltshuffle.agent.serve.StagingBudget;
import io.boltshuffle.agent.serve.Step;
import io.boltshuffle.conf.Settings;
import io.boltshuffle.rdma.memory.LeasePool;
import io.boltshuffle.rdma.memory.PoolLimits;
import io.boltshuffle.rdma.memory.Slab;
import io.boltshuffle.rdma.memory.SlabLocation;
import io.boltshuffle.testing.Allocation;
import io.boltshuffle.testing.KeptFrames;
import io.boltshuffle.testing.ShuffleFiles;
import io.boltshuffle.testing.SimLoop;
import io.boltshuffle.testing.TakenLocks;
import io.boltshuffle.wire.AgentMessage;
import io.boltshuffle.wire.BlockRange;
import io.boltshuffle.wire.ControlMessage;
import io.boltshuffle.wire.ExecutorMessage;
import io.boltshuffle.wire.Registration;
import io.boltshuffle.wire.Secret;
import io.boltshuffle.wire.SlabFacts;
import io.boltshuffle.wire.WireException;
import io.boltshuffle.wire.WireLimits;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Holds what a fetch of many small blocks costs two agents, the one whose executor asks and the one that reads the
 * files: heap for each block, and locks that threads share. All is ours but the cable, the executor and the loops.
 */
class AgentCostTest {

    private static final String APPLICATION = "app-1";
    private static final int BLOCKS = 1024;
    private static final int BLOCK_BYTES = 4096;
    private static final int PARTITIONS = 16;
    private static final long SLAB_BYTES = 64 << 20;

    /**
     * 144 bytes, and less than another object. For each block there are its range as the executor names it, its slice
     * as READY tells it and, behind the first pull, once more by its place in the fetch; lists of these; messages.
     */
    private static final double ASKING_BYTES = 152;

    /**
     * 232 bytes, and less than another object. For each block there are its range as PULL names it, the key by which
     * its map output is found, its place in the file, its slice, and what joins these two; lists of these; messages.
     */
    private static final double SERVING_BYTES = 244;

    private final ShuffleFiles shuffle;
    private final OpenFiles files = new OpenFiles(2 * BLOCKS, TimeUnit.HOURS.toNanos(1));
    private final SimLoop askingLoop = new SimLoop();
    private final SimLoop servingLoop = new SimLoop();
    private final Deque<Runnable> disk = new ArrayDeque<>();
    private final SimPullCable cable = new SimPullCable(askingLoop, servingLoop);
    private final KeptFrames toServing = new KeptFrames();
    private final KeptFrames toAsking = new KeptFrames();
    private final KeptFrames toExecutor = new KeptFrames();
    private final Slab askingSlab;
    private final Slab servingSlab;
    private final ServeServices askingServices;
    private final ServeServices servingServices;
    private final PullClient pullClient;
    private final PullServer pullServer;
    private final ExecutorSession session;
    private long requests;

    AgentCostTest(@TempDir Path directory) throws Exception {
        shuffle = new ShuffleFiles(Files.createDirectories(directory.resolve("blocks")));
        int[] sizes = new int[PARTITIONS];
        Arrays.fill(sizes, BLOCK_BYTES);
        for (int map = 0; map < 2 * BLOCKS / PARTITIONS; map++) {
            shuffle.write(0, map, sizes);
        }
        askingSlab = Slab.create(SlabLocation.file(directory.resolve("asking")), SLAB_BYTES);
        servingSlab = Slab.create(SlabLocation.file(directory.resolve("serving")), SLAB_BYTES);
        askingServices = services("asking", askingSlab, askingLoop);
        servingServices = services("serving", servingSlab, servingLoop);
        servingServices.served().applications().register(registration("1"));
        PullServices fetching = new PullServices(
                askingServices.settings(),
                askingLoop,
                askingServices.pool(),
                new PinnedMemory(SLAB_BYTES, SLAB_BYTES),
                askingServices.counters());
        pullClient = new PullClient(fetching, cable.reader(), to(toServing));
        pullServer = new PullServer(servingServices, "asking", cable.server(), to(toAsking), app -> true);
        session = new ExecutorSessions(
                        fetching,
                        askingServices.served(),
                        Optional.empty(),
                        new OneHost(),
                        welcome(),
                        new SilentAgent())
                .newSession();
        session.start(toExecutor);
        session.onFrame(frame(new ExecutorMessage.Hello(WireLimits.SESSION_VERSION, "executor 2")));
        session.onFrame(frame(new ExecutorMessage.Register(registration("2"))));
        toExecutor.close();
    }

    private ServeServices services(String host, Slab slab, SimLoop loop) throws Exception {
        ExternalShuffleBlockSource source = new ExternalShuffleBlockSource();
        LeasePool pool =
                new LeasePool(slab, slab.bytes(), new PoolLimits(slab.bytes(), 16, 16), new LoopClock(loop), loop);
        return new ServeServices(
                host,
                Settings.parse(Map.of()),
                loop,
                pool,
                new ServedFiles(
                        new Readers(loop, disk::add),
                        source,
                        files,
                        new Applications(source, Runnable::run, Runnable::run),
                        new LiveBlocks()),
                new StagingBudget(slab.bytes()),
                new AgentCounters());
    }

    private Registration registration(String executor) {
        return new Registration(
                APPLICATION,
                executor,
                List.of(shuffle.localDir().toString()),
                ShuffleFiles.SUB_DIRS,
                "org.apache.spark.shuffle.sort.SortShuffleManager",
                Secret.of(new byte[] {1}),
                /* lastingFiles= */ true);
    }

    private static AgentMessage.Welcome welcome() {
        return new AgentMessage.Welcome(
                WireLimits.SESSION_VERSION, "asking", 1, new SlabFacts(false, "/none", 1, 0, 0));
    }

    private static Consumer<ControlMessage> to(KeptFrames frames) {
        return message -> frames.send(ControlMessage.CODEC.encode(message));
    }

    private static ByteBuffer frame(ExecutorMessage message) {
        ByteBuffer frame = ExecutorMessage.CODEC.encode(message);
        frame.getInt();
        return frame;
    }

    /** The one host that can be asked. */
    private final class OneHost implements RemoteHosts {
        @Override
        public void fetch(RouteListener asker, FetchOrder order, FetchReceiver receiver) {
            pullClient.start(order, receiver);
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

    @BeforeEach
    void loadClassesAndOpenFiles() throws Exception {
        Allocation unread = new Allocation();
        fetch(2 * BLOCKS, unread, unread);
        fetch(BLOCKS, unread, unread);
    }

    @AfterEach
    void close() throws Exception {
        cable.assertQuiet();
        askingServices.pool().close();
        servingServices.pool().close();
        askingSlab.close();
        servingSlab.close();
        files.close();
    }

    @Test
    void aSmallBlockCostsTheAskingAgentLittleBeyondWhatItsRequestCosts() throws Exception {
        Allocation asking = new Allocation();

        double bytes = asking.perBlock(BLOCKS, blocks -> fetch(blocks, asking, new Allocation()));

        assertThat(bytes).as("bytes for each block that was asked for").isBetween(1.0, ASKING_BYTES);
    }

    @Test
    void aSmallBlockCostsTheServingAgentLittleBeyondWhatItsRequestCosts() throws Exception {
        Allocation serving = new Allocation();

        double bytes = serving.perBlock(BLOCKS, blocks -> fetch(blocks, new Allocation(), serving));

        assertThat(bytes).as("bytes for each block that was served").isBetween(1.0, SERVING_BYTES);
    }

    /** An agent has many readers, and they lease and give back for each pull, as its loop does. */
    private static final String[] OF_THE_POOL = {"ReentrantLock", "LeaseLedger"};

    /** Returns the locks that the serving agent's readers take. */
    private List<String> takenByFetching(int blocks) throws Exception {
        ServedFiles served = servingServices.served();
        return TakenLocks.by(
                () -> fetch(blocks, new Allocation(), new Allocation()),
                servingServices.pool(),
                served.source(),
                served.files(),
                servingServices.budget());
    }

    @Test
    void readersShareNoLockButThatOfTheMemoryThatEachPullLeases() throws Exception {
        assertThat(takenByFetching(BLOCKS)).containsExactly(OF_THE_POOL);
    }

    /** A lock that is taken is found: the first block of an output that is not known yet is looked up and kept. */
    @Test
    void aLockThatReadersShareIsFound() throws Exception {
        servingServices.served().applications().register(registration("1"));
        ServedFiles served = servingServices.served();

        List<String> taken =
                TakenLocks.by(() -> fetch(PARTITIONS, new Allocation(), new Allocation()), served.source());

        assertThat(taken).containsExactly("MapOutputs");
    }

    /** One fetch, from the executor's FETCH to its RELEASE. */
    private void fetch(int blocks, Allocation asking, Allocation serving) throws Exception {
        List<BlockRange> ranges = new ArrayList<>();
        for (int block = 0; block < blocks; block++) {
            int reduce = block % PARTITIONS;
            ranges.add(new BlockRange(0, block / PARTITIONS, reduce, reduce + 1));
        }
        ByteBuffer asked = frame(new ExecutorMessage.Fetch(requests++, "serving", "1", 7, 60_000, ranges));
        asking.count(() -> session.onFrame(asked));
        int arrived = 0;
        while (goOn(asking, serving)) {
            while (!toExecutor.isEmpty()) {
                arrived += take(AgentMessage.CODEC.decode(toExecutor.next()), asking);
            }
        }
        assertThat(arrived).isEqualTo(blocks);
    }

    /** Does the next thing that happens by itself. Returns false if there is none. */
    private boolean goOn(Allocation asking, Allocation serving) throws Exception {
        Optional<Runnable> ofCable = nextOfCable();
        if (askingLoop.hasTask()) {
            asking.count(askingLoop::runTask);
        } else if (servingLoop.hasTask()) {
            serving.count(servingLoop::runTask);
        } else if (!disk.isEmpty()) {
            serving.count(disk.remove()::run);
        } else if (!toServing.isEmpty()) {
            ByteBuffer frame = toServing.next();
            serving.count(() -> hearAsServing(frame));
        } else if (!toAsking.isEmpty()) {
            ByteBuffer frame = toAsking.next();
            asking.count(() -> hearAsAsking(frame));
        } else if (ofCable.isPresent()) {
            ofCable.get().run();
        } else {
            return !toExecutor.isEmpty();
        }
        return true;
    }

    private Optional<Runnable> nextOfCable() {
        List<Step> steps = new ArrayList<>();
        cable.addSteps(steps::add);
        return steps.stream()
                .filter(step -> !step.disturbing())
                .map(Step::action)
                .findFirst();
    }

    private void hearAsServing(ByteBuffer frame) throws WireException {
        ControlMessage message = ControlMessage.CODEC.decode(frame);
        if (message instanceof ControlMessage.Pull pull) {
            pullServer.onPull(pull.pullId(), pull.request());
        } else if (message instanceof ControlMessage.Free free) {
            pullServer.onFree(free.pullId());
        }
    }

    private void hearAsAsking(ByteBuffer frame) throws WireException {
        ControlMessage.Ready ready = (ControlMessage.Ready) ControlMessage.CODEC.decode(frame);
        assertThat(ready.failures()).isEmpty();
        pullClient.onReady(ready);
    }

    /** The executor takes blocks and gives their memory back. Returns how many. */
    private int take(AgentMessage message, Allocation asking) throws Exception {
        if (message instanceof AgentMessage.Blocks blocks) {
            ByteBuffer release = frame(new ExecutorMessage.Release(blocks.leaseId()));
            asking.count(() -> session.onFrame(release));
            return blocks.slices().size();
        }
        assertThat(message).isInstanceOf(AgentMessage.Done.class);
        return 0;
    }
}
