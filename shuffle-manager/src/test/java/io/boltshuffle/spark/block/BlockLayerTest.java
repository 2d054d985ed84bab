package io.boltshuffle.spark.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.boltshuffle.client.OrderedBlock;
import io.boltshuffle.wire.LiveBlock;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
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
    private final BlockLayer layer = new BlockLayer(id -> store.apply(id), new BlockMetrics());

    /** A block that is locked until it is released, as Spark's are. */
    private final class LockedBlock extends ManagedBuffer {
        private final byte[] bytes;
        private final long size;

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

    private OrderedBlock order(boolean lends) {
        OrderedBlock ordered = new OrderedBlock(BLOCK, MAX_BYTES, lends);
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

        OrderedBlock ordered = order(/* lends= */ true);

        assertThat(ordered.answer()).isEqualTo("laid");
        assertThat(ordered.content()).isEqualTo(bytes);
    }

    @Test
    void aBlockThatIsGoneIsRefusedWithItsName() throws Exception {
        assertThat(order(/* lends= */ true).answer())
                .startsWith("UNKNOWN_BLOCK")
                .contains("rdd_3_4 is not here");
    }

    @Test
    void aBlockThatIsTooLargeIsRefusedBeforeAnythingIsAskedFor() throws Exception {
        store = id -> new LockedBlock(new byte[0], MAX_BYTES + 1);

        assertThat(order(/* lends= */ true).answer()).startsWith("TOO_LARGE");
    }

    @Test
    void bytesThatAreNotOfTheSizeThatWasToldAreNotOffered() throws Exception {
        store = id -> new LockedBlock(new byte[100], 101);
        assertThat(order(/* lends= */ true).answer()).startsWith("READ_ERROR").contains("ends 1 bytes before");
        store = id -> new LockedBlock(new byte[100], 99);
        assertThat(order(/* lends= */ true).answer()).startsWith("READ_ERROR").contains("goes on after");
    }

    @Test
    void withoutMemoryTheLockIsReleased() throws Exception {
        store = id -> new LockedBlock(new byte[100], 100);

        assertThat(order(/* lends= */ false).answer()).startsWith("READ_ERROR").contains("there is none");
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
            accepted.add(order(/* lends= */ true));
        }

        assertThat(order(/* lends= */ true).answer()).startsWith("OVERLOADED");
        goOn.countDown();

        for (OrderedBlock each : accepted) {
            assertThat(each.answer()).isEqualTo("laid");
        }
    }

    @Test
    void aLayerThatIsClosedSaysSo() throws Exception {
        layer.close();

        assertThat(order(/* lends= */ true).answer()).startsWith("OVERLOADED").contains("stops");
    }
}
