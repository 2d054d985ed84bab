package io.boltshuffle.spark.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.client.ClientCounters;
import io.boltshuffle.client.FetchRequest;
import io.boltshuffle.client.SimSession;
import io.boltshuffle.rdma.memory.Slab;
import io.boltshuffle.rdma.memory.SlabException;
import io.boltshuffle.rdma.memory.SlabLocation;
import io.boltshuffle.spark.meter.ShuffleMetrics;
import io.boltshuffle.spark.meter.StageAttempt;
import io.boltshuffle.testing.Allocation;
import io.boltshuffle.testing.TakenLocks;
import io.boltshuffle.wire.AgentMessage;
import io.boltshuffle.wire.BlockSlice;
import io.boltshuffle.wire.ExecutorMessage;
import io.boltshuffle.wire.WireException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.shuffle.BlockFetchingListener;
import org.apache.spark.util.SystemClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Holds what a fetch of many small blocks costs an executor, from Spark's call to the last release of a block: heap for
 * each block, and locks that tasks share. All is ours but the agent and the task.
 */
class ExecutorCostTest {

    private static final int BLOCKS = 1024;
    private static final int BLOCK_BYTES = 4096;

    /**
     * 264 bytes, and less than another object. For each block there are its range, its slice as the message tells it,
     * the bytes that arrived, the buffer that Spark gets, and what parses its name; lists of these; messages.
     */
    private static final double DELIVERED_BYTES = 272;

    /**
     * 264 bytes, and less than another buffer; with JDK 25, where buffers are larger, up to 320. One buffer is ours.
     * Netty makes another and a stream, of sizes that differ between its releases.
     */
    private static final double READ_BYTES = Runtime.version().feature() < 25 ? 300 : 344;

    /**
     * The most extra bytes for each block when each has one more object of 24 bytes; 56 were measured with JDK 25 on a
     * busy machine.
     */
    private static final double MOST_EXTRA_BYTES = Runtime.version().feature() < 25 ? 32 : 64;

    private static final long LEASE = 42;

    private final Slab slab;
    private final SimSession session;
    private final FakeTransport transport = new FakeTransport();
    private final ShuffleMetrics metrics = new ShuffleMetrics(new ClientCounters());
    private final RoutingBlockStoreClient client;
    private final Task task = new Task();
    private final byte[] content = new byte[BLOCK_BYTES];

    ExecutorCostTest(@TempDir Path directory) throws Exception {
        slab = Slab.create(SlabLocation.file(directory.resolve("slab")), 2 * BLOCKS * BLOCK_BYTES);
        session = new SimSession(slab);
        FetchServices services = new FetchServices(
                new FakeNetty(),
                transport,
                metrics,
                new RouteLog(),
                new FallbackLanes(Runnable::run),
                new SystemClock());
        client = new RoutingBlockStoreClient(
                services, List.of(FetchPolicies.blockKinds(), FetchPolicies.transportAvailability(transport)));
        transport.behaviour = request -> {
            NamedBlocks blocks =
                    NamedBlocks.of(request.blockIds(), request.receiver()).get(0);
            session.fetch(
                    new FetchRequest("host", "1", 7, blocks.ranges()),
                    blocks.toldAs(new MemoryDelivery(request.receiver())));
        };
    }

    /** Keeps blocks as Spark's iterator does, and reads one after the other as a task does. */
    private static class Task implements BlockFetchingListener {
        private final ManagedBuffer[] blocks = new ManagedBuffer[2 * BLOCKS];
        private int count;

        @Override
        public void onBlockFetchSuccess(String blockId, ManagedBuffer data) {
            blocks[count++] = data.retain();
        }

        @Override
        public void onBlockFetchFailure(String blockId, Throwable cause) {
            throw new AssertionError(blockId, cause);
        }
    }

    @BeforeEach
    void loadAllClasses() throws Exception {
        Allocation unread = new Allocation();
        fetch(BLOCKS / 8, unread, unread, task);
        fetch(BLOCKS / 8, unread, unread, new WastefulTask());
    }

    @AfterEach
    void close() throws SlabException {
        slab.close();
    }

    @Test
    void aSmallBlockCostsTheHeapLittleBeyondWhatItsRequestCosts() throws Exception {
        Allocation delivery = new Allocation();

        double bytes = delivery.perBlock(BLOCKS, blocks -> fetch(blocks, delivery, new Allocation(), task));

        assertThat(bytes).as("bytes for each block that was delivered").isBetween(1.0, DELIVERED_BYTES);
    }

    @Test
    void aTaskReadsABlockByOneBufferAndOneStream() throws Exception {
        Allocation reading = new Allocation();

        double bytes = reading.perBlock(BLOCKS, blocks -> fetch(blocks, new Allocation(), reading, task));

        assertThat(bytes).as("bytes for each block that was read").isBetween(1.0, READ_BYTES);
    }

    /** One object more for each block, of 24 bytes. */
    private static final class WastefulTask extends Task {
        private long[] waste = {};

        @Override
        public void onBlockFetchSuccess(String blockId, ManagedBuffer data) {
            waste = new long[] {waste.length};
            super.onBlockFetchSuccess(blockId, data);
        }
    }

    /** Counted several times: the compiler may spare something between one count and the next. */
    @Test
    void anObjectMoreForEachBlockIsSeen() throws Exception {
        Allocation delivery = new Allocation();
        List<Double> extra = new ArrayList<>();
        for (int round = 0; round < 9; round++) {
            double without = delivery.perBlock(BLOCKS, blocks -> fetch(blocks, delivery, new Allocation(), task));
            double with =
                    delivery.perBlock(BLOCKS, blocks -> fetch(blocks, delivery, new Allocation(), new WastefulTask()));
            extra.add(with - without);
        }

        double median = extra.stream().sorted().toList().get(extra.size() / 2);
        assertThat(median).as("median of %s", extra).isBetween(16.0, MOST_EXTRA_BYTES);
    }

    @Test
    void tasksShareNoLockForTheirFetchesOrBlocks() throws Exception {
        StageAttempt stage = new StageAttempt(3, 0);
        metrics.ofStage(stage); // only the first use of a stage takes a lock

        List<String> taken = TakenLocks.by(
                () -> {
                    metrics.deliveredByRdma(metrics.ofStage(stage), BLOCK_BYTES);
                    fetch(BLOCKS, new Allocation(), new Allocation(), task);
                },
                metrics,
                client);

        assertThat(taken).isEmpty();
    }

    @Test
    void readersOfOneLeaseShareNoLock() throws Exception {
        long request = ask(BLOCKS, new Allocation(), task);
        session.hear(blocks(request, BLOCKS));

        List<String> taken = TakenLocks.by(() -> read(task), (Object) task.blocks);

        assertThat(taken).isEmpty();
        session.runTasks();
        assertThat(said()).isEqualTo(new ExecutorMessage.Release(LEASE));
    }

    @Test
    void aLockThatTasksShareIsFound() throws Exception {
        List<String> taken = TakenLocks.by(() -> metrics.ofStage(new StageAttempt(4, 0)), metrics, client);

        assertThat(taken).containsExactly("StageMeter");
    }

    private void fetch(int blocks, Allocation delivery, Allocation reading, Task reader) throws Exception {
        long request = ask(blocks, delivery, reader);
        ByteBuffer arrived = blocks(request, blocks);
        ByteBuffer done = SimSession.frame(new AgentMessage.Done(request));
        delivery.count(() -> session.hear(arrived));
        delivery.count(() -> session.hear(done));
        assertThat(reader.count).isEqualTo(blocks);

        reading.count(() -> read(reader));
        delivery.count(session::runTasks);
        assertThat(said()).isEqualTo(new ExecutorMessage.Release(LEASE));
    }

    /** Has Spark ask. Returns the number of the request that the agent hears. */
    private long ask(int blocks, Allocation delivery, Task reader) throws Exception {
        String[] ids = new String[blocks];
        for (int map = 0; map < blocks; map++) {
            ids[map] = "shuffle_3_" + (100_000 + map) + "_77";
        }
        delivery.count(() -> client.fetchBlocks("host", 7337, "1", ids, reader, null));
        transport.requests.clear();
        ExecutorMessage.Fetch asked = (ExecutorMessage.Fetch) said();
        assertThat(asked.blocks()).hasSize(blocks);
        return asked.requestId();
    }

    private static ByteBuffer blocks(long request, int blocks) {
        return SimSession.frame(new AgentMessage.Blocks(request, LEASE, 0, /* copyOut= */ false, slices(blocks)));
    }

    private static List<BlockSlice> slices(int blocks) {
        List<BlockSlice> slices = new ArrayList<>();
        for (int block = 0; block < blocks; block++) {
            slices.add(new BlockSlice(block, 0, BLOCK_BYTES, BLOCK_BYTES));
        }
        return slices;
    }

    private ExecutorMessage said() throws WireException {
        return ExecutorMessage.CODEC.decode(session.sent().next());
    }

    private void read(Task reader) throws IOException {
        for (int block = 0; block < reader.count; block++) {
            try (InputStream in = reader.blocks[block].createInputStream()) {
                if (in.read(content) != BLOCK_BYTES) {
                    throw new AssertionError("block " + block + " is cut");
                }
            }
            reader.blocks[block].release();
        }
        reader.count = 0;
    }
}
