package io.boltshuffle.spark.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.boltshuffle.client.OrderedBlock;
import io.boltshuffle.client.OrderedBlock.Agent;
import io.boltshuffle.wire.LiveBlock;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.storage.BlockId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BlockLayerTest {

    private static final LiveBlock BLOCK = new LiveBlock(LiveBlock.Kind.RDD_PARTITION, 3, 4);
    private static final long MAX_BYTES = 1 << 20;

    private final AtomicInteger locks = new AtomicInteger();
    private Function<BlockId, ManagedBuffer> store = id -> {
        throw new IllegalStateException(id.name() + " is not here");
    };
    /** The work to be done after the pause, which lasts as long as the test wants. */
    private final Queue<Runnable> afterPause = new ConcurrentLinkedQueue<>();

    private final BlockLayer layer = new BlockLayer(id -> store.apply(id), new BlockMetrics(), afterPause::add);

    /** A block that is locked until it is released, as Spark's are. */
    private final class LockedBlock extends ManagedBuffer {
        private final byte[] bytes;
        private final long size;
        private boolean breaks;

        LockedBlock(byte[] bytes, long size) {
            this.bytes = bytes;
            this.size = size;
            locks.incrementAndGet();
        }

        @Override
        public long size() {
            return size;
        }

        @Override
        public ByteBuffer nioByteBuffer() {
            throw new UnsupportedOperationException("a large block would be copied to the heap");
        }

        @Override
        public InputStream createInputStream() {
            if (breaks) {
                throw new AssertionError("made by a test");
            }
            return new ByteArrayInputStream(bytes);
        }

        @Override
        public ManagedBuffer retain() {
            throw new UnsupportedOperationException();
        }

        @Override
        public ManagedBuffer release() {
            locks.decrementAndGet();
            return this;
        }

        @Override
        public Object convertToNetty() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Object convertToNettyForSsl() {
            throw new UnsupportedOperationException();
        }
    }

    @AfterEach
    void everyLockIsReleased() {
        layer.close();
        await().atMost(Duration.ofSeconds(10)).until(() -> locks.get() == 0);
    }

    private OrderedBlock order(Agent agent) {
        OrderedBlock ordered = new OrderedBlock(BLOCK, MAX_BYTES, agent);
        layer.onOrder(ordered.order());
        return ordered;
    }

    @Test
    void aBlockIsLaidOutAsItIs() throws Exception {
        byte[] bytes = new byte[700_000];
        new Random(1).nextBytes(bytes);
        store = id -> {
            assertThat(id.name()).isEqualTo("rdd_3_4");
            return new LockedBlock(bytes, bytes.length);
        };

        OrderedBlock ordered = order(Agent.LENDS);

        assertThat(ordered.answer()).isEqualTo("laid");
        assertThat(ordered.content()).isEqualTo(bytes);
    }

    @Test
    void aBlockThatIsGoneIsRefusedWithItsName() throws Exception {
        assertThat(order(Agent.LENDS).answer()).startsWith("UNKNOWN_BLOCK").contains("rdd_3_4 is not here");
    }

    @Test
    void aBlockThatIsTooLargeIsRefusedBeforeAnythingIsAskedFor() throws Exception {
        store = id -> new LockedBlock(new byte[0], MAX_BYTES + 1);

        assertThat(order(Agent.LENDS).answer()).startsWith("TOO_LARGE");
    }

    @Test
    void bytesThatAreNotOfTheSizeThatWasToldAreNotOffered() throws Exception {
        store = id -> new LockedBlock(new byte[100], 101);
        assertThat(order(Agent.LENDS).answer()).startsWith("READ_ERROR").contains("ends 1 bytes before");
        store = id -> new LockedBlock(new byte[100], 99);
        assertThat(order(Agent.LENDS).answer()).startsWith("READ_ERROR").contains("goes on after");
    }

    @Test
    void withoutMemoryTheLockIsReleased() throws Exception {
        store = id -> new LockedBlock(new byte[100], 100);

        assertThat(order(Agent.REFUSES).answer()).startsWith("READ_ERROR").contains("there is none");
    }

    /** Orders that keep every thread of a layer whose threads wait for memory, and that have told their sizes. */
    private List<OrderedBlock> ordersThatWaitForMemory() throws Exception {
        List<OrderedBlock> waiting = new ArrayList<>();
        for (int i = 0; i < BlockLayer.THREADS; i++) {
            waiting.add(order(Agent.WAITS));
        }
        for (OrderedBlock each : waiting) {
            each.awaitSize();
        }
        return waiting;
    }

    /** Spark's own service sends other blocks meanwhile. */
    @Test
    void ordersThatWaitForMemoryKeepNoOtherWaiting() throws Exception {
        byte[] bytes = new byte[1024];
        store = id -> new LockedBlock(bytes, bytes.length);
        List<OrderedBlock> waiting = ordersThatWaitForMemory();

        assertThat(order(Agent.LENDS).answer()).isEqualTo("laid");

        for (OrderedBlock each : waiting) {
            each.lend();
            assertThat(each.answer()).isEqualTo("laid");
        }
    }

    @Test
    void aBlockWhoseMemoryIsLateIsLockedForNoMoreThanThePauseAndFoundAnew() throws Exception {
        byte[] before = {1, 2, 3};
        byte[] after = {4, 5, 6};
        store = id -> new LockedBlock(before, before.length);
        List<OrderedBlock> waiting = ordersThatWaitForMemory();
        assertThat(locks.get()).isEqualTo(waiting.size());

        afterPause.forEach(Runnable::run);

        assertThat(locks.get()).as("Spark may drop the block, or replace it").isZero();
        store = id -> new LockedBlock(after, after.length);
        for (OrderedBlock each : waiting) {
            each.lend();
            assertThat(each.answer()).isEqualTo("laid");
            assertThat(each.content()).isEqualTo(after);
        }
    }

    @Test
    void aBlockThatIsGoneOrOfAnotherSizeAsItsMemoryComesIsRefused() throws Exception {
        store = id -> new LockedBlock(new byte[100], 100);
        List<OrderedBlock> waiting = ordersThatWaitForMemory();
        afterPause.forEach(Runnable::run);

        store = id -> new LockedBlock(new byte[101], 101);
        waiting.get(0).lend();
        assertThat(waiting.get(0).answer()).startsWith("READ_ERROR").contains("has 101 bytes now, and had 100");
        store = id -> {
            throw new IllegalStateException(id.name() + " is not here");
        };
        for (OrderedBlock each : waiting.subList(1, waiting.size())) {
            each.lend();
            assertThat(each.answer()).startsWith("UNKNOWN_BLOCK");
        }
    }

    @Test
    void whatWaitsForMemoryLongerThanItsAskerIsRefused() throws Exception {
        store = id -> new LockedBlock(new byte[100], 100);
        OrderedBlock ordered = new OrderedBlock(BLOCK, MAX_BYTES, Agent.WAITS, /* timeoutMillis= */ 0);
        layer.onOrder(ordered.order());

        assertThat(ordered.answer()).startsWith("NO_MEMORY");
    }

    /** Scala's {@code assert} throws an Error; Spark's own service answers nothing then, but lives. */
    @Test
    void anErrorOfSparksIsAnAnswerBothBeforeAndAfterMemoryWasLent() throws Exception {
        store = id -> {
            throw new AssertionError("assertion failed");
        };
        assertThat(order(Agent.LENDS).answer()).startsWith("READ_ERROR").contains("assertion failed");
        store = id -> {
            LockedBlock block = new LockedBlock(new byte[100], 100);
            block.breaks = true;
            return block;
        };
        assertThat(order(Agent.LENDS).answer()).startsWith("READ_ERROR").contains("made by a test");
    }

    @Test
    void moreOrdersThanItHasRoomForAreRefusedAtOnce() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        store = id -> {
            try {
                goOn.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return new LockedBlock(new byte[100], 100);
        };
        List<OrderedBlock> accepted = new ArrayList<>();
        for (int i = 0; i < BlockLayer.THREADS + BlockLayer.QUEUE; i++) {
            accepted.add(order(Agent.LENDS));
        }

        assertThat(order(Agent.LENDS).answer()).startsWith("OVERLOADED");
        goOn.countDown();

        for (OrderedBlock each : accepted) {
            assertThat(each.answer()).isEqualTo("laid");
        }
    }

    @Test
    void aLayerThatIsClosedSaysSo() throws Exception {
        layer.close();

        assertThat(order(Agent.LENDS).answer()).startsWith("OVERLOADED").contains("stops");
    }

    /** The agent could not take back what it has lent. */
    @Test
    void aLayerThatIsClosedAnswersWhatWaits() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        store = id -> {
            try {
                goOn.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException("stopped", e);
            }
            return new LockedBlock(new byte[100], 100);
        };
        List<OrderedBlock> waiting = new ArrayList<>();
        for (int i = 0; i < 2 * BlockLayer.THREADS; i++) {
            waiting.add(order(Agent.LENDS));
        }

        layer.close();

        for (OrderedBlock each : waiting) {
            assertThat(each.answer()).contains("stop");
        }
    }
}
