package io.boltshuffle.agent.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.boltshuffle.rdma.memory.Lease;
import io.boltshuffle.rdma.memory.LeasePool;
import io.boltshuffle.rdma.memory.PoolClock;
import io.boltshuffle.rdma.memory.PoolLimits;
import io.boltshuffle.rdma.memory.Slab;
import io.boltshuffle.rdma.memory.SlabLocation;
import io.boltshuffle.wire.BlockRange;
import io.boltshuffle.wire.OutputLayout;
import io.boltshuffle.wire.WireLimits;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputsTest {
    private static final long SLAB_BYTES = 1 << 20;
    private static final int FRAME = 4096;
    private static final String APP = "app-1";

    private final Path directory;

    private final StillClock clock = new StillClock();
    private Slab slab;
    private LeasePool pool;
    private Outputs outputs;

    OutputsTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @BeforeEach
    void open() throws Exception {
        slab = Slab.create(SlabLocation.file(directory.resolve("slab")), SLAB_BYTES);
        pool = new LeasePool(slab, SLAB_BYTES, new PoolLimits(SLAB_BYTES, 16, 16), clock, Runnable::run);
        outputs = new Outputs(pool, 4 * FRAME, 100);
    }

    /** After every test, what is given back and withdrawn leaves nothing in use. */
    @AfterEach
    void nothingIsLeft() throws Exception {
        outputs.forget(APP);
        assertThat(outputs.status().usedBytes()).isZero();
        assertThat(outputs.status().blocks()).isZero();
        assertThat(outputs.status().outputs()).isZero();
        pool.close();
        slab.close();
    }

    @Test
    void eachStateHasItsWays() {
        Map<OutputState, Set<OutputState>> table = Map.of(
                OutputState.LENT, EnumSet.of(OutputState.PUBLISHED, OutputState.GONE),
                OutputState.PUBLISHED, EnumSet.of(OutputState.LEAVING, OutputState.GONE),
                OutputState.LEAVING, EnumSet.of(OutputState.GONE),
                OutputState.GONE, EnumSet.noneOf(OutputState.class));
        for (OutputState from : OutputState.values()) {
            for (OutputState to : OutputState.values()) {
                assertThat(from.mayBecome(to))
                        .as("%s to %s", from, to)
                        .isEqualTo(table.getOrDefault(from, Set.of()).contains(to));
            }
        }
    }

    @Test
    void aPublishedOutputIsCopiedBlockByBlock() {
        publish(1, 7, 10, 0, 20);

        assertThat(copy(1, 7, 0, 1)).hasValue(content(7, 0, 10));
        assertThat(copy(1, 7, 2, 3)).hasValue(content(7, 10, 20));
        assertThat(copy(1, 7, 0, 3)).hasValue(content(7, 0, 30));
        assertThat(outputs.find(APP, "1", new BlockRange(1, 7, 1, 2)))
                .as("a block without a byte")
                .isEmpty();
        assertThat(outputs.find(APP, "1", new BlockRange(1, 7, 2, 4)))
                .as("a partition that is not there")
                .isEmpty();
        assertThat(outputs.find(APP, "2", new BlockRange(1, 7, 0, 1)))
                .as("another executor's")
                .isEmpty();
        assertThat(outputs.find("app-2", "1", new BlockRange(1, 7, 0, 1)))
                .as("another application's")
                .isEmpty();
    }

    @Test
    void whatIsNotPublishedIsNotServed() {
        Output output = outputs.lend(APP, "1", 1, FRAME).orElseThrow();

        assertThat(outputs.find(APP, "1", new BlockRange(1, 0, 0, 1))).isEmpty();
        assertThat(outputs.status().usedBytes()).isEqualTo(FRAME);

        outputs.giveBack(output);
        assertThat(outputs.status().usedBytes()).isZero();
        assertThatThrownBy(() -> outputs.giveBack(output)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void theOldestShuffleMakesRoomForANewerOne() {
        publish(1, 1, FRAME);
        publish(2, 2, FRAME);
        publish(1, 3, FRAME);
        publish(2, 4, FRAME);

        publish(3, 5, 2 * FRAME);

        assertThat(copy(1, 1, 0, 1)).isEmpty();
        assertThat(copy(1, 3, 0, 1)).isEmpty();
        assertThat(copy(2, 2, 0, 1)).isPresent();
        assertThat(copy(2, 4, 0, 1)).isPresent();
        assertThat(outputs.status().evicted()).isEqualTo(2);
    }

    @Test
    void outputsOfAShuffleDoNotDriveEachOtherOut() {
        for (int map = 0; map < 4; map++) {
            publish(1, map, FRAME);
        }

        assertThat(outputs.lend(APP, "1", 1, FRAME)).isEmpty();

        assertThat(outputs.status().refused()).isEqualTo(1);
        assertThat(outputs.status().evicted()).isZero();
    }

    @Test
    void anOlderShuffleDoesNotDriveOutANewerOne() {
        publish(1, 1, FRAME);
        publish(2, 2, 3 * FRAME);

        assertThat(outputs.lend(APP, "1", 1, FRAME)).isEmpty();
        assertThat(copy(2, 2, 0, 1)).isPresent();
    }

    @Test
    void whatIsHeldIsNotEvicted() {
        publish(1, 1, 4 * FRAME);
        OutputBlock block = find(1, 1, 0, 1).orElseThrow();
        assertThat(outputs.hold(block.output())).isTrue();
        assertThat(outputs.hold(block.output())).isTrue();

        assertThat(outputs.lend(APP, "1", 2, FRAME)).isEmpty();
        outputs.letGo(block.output());
        assertThat(outputs.lend(APP, "1", 2, FRAME)).isEmpty();
        outputs.letGo(block.output());

        Output next = outputs.lend(APP, "1", 2, FRAME).orElseThrow();
        assertThat(outputs.status().evicted()).isEqualTo(1);
        outputs.giveBack(next);
    }

    @Test
    void anOutputThatIsReadWhileItsShuffleIsUnregisteredStaysUntilItIsRead() {
        publish(1, 1, FRAME);
        OutputBlock block = find(1, 1, 0, 1).orElseThrow();
        ByteBuffer into = ByteBuffer.allocate(FRAME);

        boolean copied = block.copyTo(into, FRAME / 2, piece -> {
            outputs.withdraw(APP, 1);
            assertThat(outputs.status().usedBytes()).as("while it is read").isEqualTo(FRAME);
            assertThat(find(1, 1, 0, 1)).as("for others").isEmpty();
        });

        assertThat(copied).isTrue();
        assertThat(into.array()).isEqualTo(content(1, 0, FRAME));
        assertThat(outputs.status().usedBytes()).as("afterwards").isZero();
        assertThat(outputs.status().withdrawn()).isEqualTo(1);
    }

    @Test
    void whatWasFoundAndIsGoneByTheTimeItIsReadIsNotCopied() {
        publish(1, 1, FRAME);
        OutputBlock block = find(1, 1, 0, 1).orElseThrow();
        outputs.withdraw(APP, 1);
        ByteBuffer into = ByteBuffer.allocate(FRAME);

        assertThat(block.copyTo(into, FRAME, piece -> {})).isFalse();

        assertThat(into.position()).isZero();
    }

    @Test
    void aLaterAttemptTakesThePlaceOfAnEarlierOne() {
        publish(1, 1, FRAME);
        publish(1, 1, 10, 10);

        assertThat(copy(1, 1, 1, 2)).hasValue(content(1, 10, 10));
        assertThat(outputs.status().outputs()).isEqualTo(1);
        assertThat(outputs.status().blocks()).isEqualTo(2);
        assertThat(outputs.status().usedBytes()).isEqualTo(FRAME);
    }

    @Test
    void aMillionTinyBlocksAreRefusedBeforeTheyFillTheHeap() {
        List<Long> tiny = Collections.nCopies(60, 1L);
        assertThat(outputs.publish(lend(1), 1, OutputLayout.PACKED, tiny)).isTrue();
        assertThat(outputs.publish(lend(1), 2, OutputLayout.PACKED, tiny))
                .as("above the limit of blocks")
                .isFalse();
        assertThat(outputs.status().blocks()).isEqualTo(60);

        assertThat(outputs.publish(lend(2), 3, OutputLayout.PACKED, tiny))
                .as("of a newer shuffle")
                .isTrue();

        assertThat(outputs.status().evicted()).isEqualTo(1);
        assertThat(outputs.status().blocks()).isEqualTo(60);
        assertThat(Outputs.MAX_BLOCKS * (long) Long.BYTES).as("bytes of heap").isLessThanOrEqualTo(8L << 20);
    }

    @Test
    void anOutputThatDoesNotFitItsMemoryIsNotServed() {
        Output output = outputs.lend(APP, "1", 1, 100).orElseThrow();

        assertThat(outputs.publish(output, 1, OutputLayout.PACKED, List.of(60L, 41L)))
                .isFalse();

        assertThat(find(1, 1, 0, 1)).isEmpty();
        assertThat(outputs.status().usedBytes()).isZero();
    }

    @Test
    void partitionsOfAFramedOutputAreFoundWhereTheyBegin() {
        publishFramed(1, 7, 10, 0, FRAME, 20);

        assertThat(copy(1, 7, 0, 1)).hasValue(content(7, 0, 10));
        assertThat(copy(1, 7, 2, 3)).hasValue(content(7, FRAME, FRAME));
        assertThat(copy(1, 7, 3, 4)).hasValue(content(7, 2 * FRAME, 20));
        assertThat(find(1, 7, 1, 2)).as("a block without a byte").isEmpty();
        assertThat(find(1, 7, 0, 1).orElseThrow().offset()).hasValue(0);
        assertThat(find(1, 7, 2, 3).orElseThrow().offset()).hasValue(FRAME);
        assertThat(find(1, 7, 3, 4).orElseThrow().offset()).hasValue(2 * FRAME);
    }

    @Test
    void aBlockOfSeveralFramedPartitionsHasNoGaps() {
        publishFramed(1, 7, 10, FRAME, 20);
        byte[] expected = new byte[10 + FRAME + 20];
        System.arraycopy(content(7, 0, 10), 0, expected, 0, 10);
        System.arraycopy(content(7, FRAME, FRAME), 0, expected, 10, FRAME);
        System.arraycopy(content(7, 2 * FRAME, 20), 0, expected, 10 + FRAME, 20);

        assertThat(copy(1, 7, 0, 3)).hasValue(expected);
        assertThat(find(1, 7, 0, 3).orElseThrow().offset())
                .as("it does not lie together")
                .isEmpty();
        assertThat(find(1, 7, 1, 3).orElseThrow().offset())
                .as("no gap is between these two")
                .hasValue(FRAME);
        for (int from = 0; from < expected.length; from += 13) {
            int length = Math.min(FRAME / 2, expected.length - from);
            assertThat(copy(find(1, 7, 0, 3).orElseThrow().part(from, length)))
                    .isEqualTo(Arrays.copyOfRange(expected, from, from + length));
        }
    }

    @Test
    void partsOfABlockLieWhereTheirBytesAre() {
        publish(1, 7, FRAME, 10, 30);

        assertThat(find(1, 7, 2, 3).orElseThrow().offset()).hasValue(FRAME + 10);
        assertThat(find(1, 7, 0, 3).orElseThrow().offset()).hasValue(0);
        assertThat(find(1, 7, 0, 3).orElseThrow().part(FRAME, 20).offset()).hasValue(FRAME);
        assertThat(find(1, 7, 0, 3).orElseThrow().part(1, FRAME).offset()).hasValue(1);
    }

    @Test
    void theGapsOfAFramedOutputHaveToFitItsMemory() {
        Output output = outputs.lend(APP, "1", 1, 2 * FRAME).orElseThrow();

        assertThat(outputs.publish(output, 1, OutputLayout.FRAMED, List.of(10L, 10L, 10L)))
                .isFalse();

        assertThat(outputs.status().usedBytes()).isZero();
    }

    @Test
    void bothEndsCountMemoryInTheSameFrames() {
        assertThat(WireLimits.FRAME_BYTES).isEqualTo(Lease.FRAME_BYTES);
    }

    @Test
    void anApplicationsEndTakesAllItsShuffles() {
        publish(1, 1, 10);
        publish(2, 2, 10);

        outputs.forget("app-2");
        assertThat(outputs.status().outputs()).isEqualTo(2);
        outputs.forget(APP);

        assertThat(outputs.status().outputs()).isZero();
    }

    @Test
    void outputsMakeRoomForFetchesThatWait() {
        publish(1, 1, FRAME);
        publish(1, 2, FRAME);
        publish(1, 3, FRAME);

        outputs.makeRoom(FRAME + 1);

        assertThat(copy(1, 1, 0, 1)).isEmpty();
        assertThat(copy(1, 2, 0, 1)).isEmpty();
        assertThat(copy(1, 3, 0, 1)).isPresent();
    }

    @Test
    void outputsGiveUpHalfOfTheirMemoryAndThenTheRest() throws Exception {
        long limit = 48L << 20;
        try (Slab large = Slab.create(SlabLocation.file(directory.resolve("large")), limit)) {
            LeasePool lending = new LeasePool(large, 64L << 20, new PoolLimits(limit, 16, 16), clock, Runnable::run);
            Outputs giving = new Outputs(lending, limit);
            List<Output> lent = new ArrayList<>();
            for (int map = 0; map < 4; map++) {
                lent.add(giving.lend(APP, "1", map, 12L << 20).orElseThrow());
            }
            for (int map = 0; map < 3; map++) {
                assertThat(giving.publish(lent.get(map), map, OutputLayout.PACKED, List.of(12L << 20)))
                        .isTrue();
            }
            OutputBlock held = giving.find(APP, "1", new BlockRange(2, 2, 0, 1)).orElseThrow();
            assertThat(held.hold()).isTrue();

            assertThat(giving.giveUpHalf()).isEqualTo(24L << 20);
            giving.endAt(24L << 20);

            assertThat(giving.status().limitBytes()).isEqualTo(24L << 20);
            assertThat(giving.status().givenUpBytes()).isEqualTo(24L << 20);
            assertThat(giving.status().outputs()).isZero();
            assertThat(giving.status().usedBytes())
                    .as("one is sent, one is written")
                    .isEqualTo(24L << 20);
            held.letGo();
            assertThat(giving.publish(lent.get(3), 3, OutputLayout.PACKED, List.of(1L)))
                    .as("in memory that was given up")
                    .isFalse();
            assertThat(giving.status().usedBytes()).isZero();
            assertThat(giving.giveUpHalf()).as("half would be too little").isEqualTo(24L << 20);
            assertThat(giving.lend(APP, "1", 9, 1)).isEmpty();
            assertThat(giving.giveUpHalf()).isZero();
            lending.close();
        }
    }

    @Test
    void withoutMemoryForOutputsNoneIsLent() {
        assertThat(new Outputs(pool, 0).lend(APP, "1", 1, 1)).isEmpty();
    }

    /** Of both, the newer shuffle's blocks take the place of the older's. */
    @Test
    void twoMillionTinyBlocksTakeNoMoreHeapThanTheirLimit() throws Exception {
        int ofEach = 1024;
        List<Long> lengths = Collections.nCopies(ofEach, 1L);
        try (Slab large = Slab.create(SlabLocation.file(directory.resolve("large")), 8L << 20)) {
            LeasePool lending = new LeasePool(large, 8L << 20, new PoolLimits(8L << 20, 16, 16), clock, Runnable::run);
            Outputs many = new Outputs(lending, 8L << 20);
            long before = usedHeap();
            for (int shuffle = 1; shuffle <= 2; shuffle++) {
                for (int map = 0; map < Outputs.MAX_BLOCKS / ofEach; map++) {
                    Output output = many.lend(APP, "1", shuffle, ofEach).orElseThrow();
                    assertThat(many.publish(output, map, OutputLayout.PACKED, lengths))
                            .isTrue();
                }
                assertThat(many.status().blocks()).isEqualTo(Outputs.MAX_BLOCKS);
            }

            assertThat(usedHeap() - before).as("bytes of the heap").isLessThan(24L << 20);
            assertThat(many.status().evicted()).isEqualTo(Outputs.MAX_BLOCKS / ofEach);
            assertThat(many.find(APP, "1", new BlockRange(2, 1023, 1023, 1024))).isPresent();
            many.forget(APP);
            lending.close();
        }
    }

    private static long usedHeap() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    @Test
    void theStatusTellsTheAgeOfTheOldestOutput() {
        assertThat(outputs.status().oldestMillis()).isZero();
        publish(2, 1, 10);
        pass(Duration.ofSeconds(5));
        publish(1, 2, 10);
        pass(Duration.ofSeconds(1));
        assertThat(outputs.status().oldestMillis()).isEqualTo(6_000);

        outputs.withdraw(APP, 2);

        assertThat(outputs.status().oldestMillis()).isEqualTo(1_000);
    }

    /** An agent ends: what tasks write stays theirs, and nothing else is left. */
    @Test
    void theEndOfAllLeavesOnlyWhatIsLent() {
        publish(1, 1, 10);
        publish(2, 2, 10);
        Output written = lend(1);

        outputs.close();

        assertThat(outputs.status().outputs()).isZero();
        assertThat(outputs.status().usedBytes()).isEqualTo(FRAME);
        outputs.giveBack(written);
    }

    private void pass(Duration time) {
        clock.nanos += time.toNanos();
    }

    /** A clock by which nothing waits. */
    private static final class StillClock implements PoolClock {
        private long nanos;

        @Override
        public long nanoTime() {
            return nanos;
        }

        @Override
        public Timeout schedule(long deadlineNanos, Runnable task) {
            throw new AssertionError("outputs wait for no memory");
        }
    }

    private Output lend(int shuffle) {
        return outputs.lend(APP, "1", shuffle, FRAME).orElseThrow();
    }

    private void publish(int shuffle, long map, long... lengths) {
        long bytes = 0;
        for (long length : lengths) {
            bytes += length;
        }
        Output output = outputs.lend(APP, "1", shuffle, bytes).orElseThrow();
        slab.view(output.slabOffset(), (int) bytes).put(content(map, 0, (int) bytes));
        List<Long> list = Arrays.stream(lengths).boxed().toList();
        assertThat(outputs.publish(output, map, OutputLayout.PACKED, list)).isTrue();
    }

    private void publishFramed(int shuffle, long map, long... lengths) {
        long room = 0;
        for (long length : lengths) {
            room = OutputLayout.FRAMED.start(room) + length;
        }
        Output output = outputs.lend(APP, "1", shuffle, room).orElseThrow();
        slab.view(output.slabOffset(), (int) room).put(content(map, 0, (int) room));
        List<Long> list = Arrays.stream(lengths).boxed().toList();
        assertThat(outputs.publish(output, map, OutputLayout.FRAMED, list)).isTrue();
    }

    private static byte[] content(long map, int from, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (31 * map + from + i);
        }
        return bytes;
    }

    private Optional<OutputBlock> find(int shuffle, long map, int from, int to) {
        return outputs.find(APP, "1", new BlockRange(shuffle, map, from, to));
    }

    private Optional<byte[]> copy(int shuffle, long map, int from, int to) {
        return find(shuffle, map, from, to).map(OutputsTest::copy);
    }

    private static byte[] copy(OutputBlock block) {
        ByteBuffer into = ByteBuffer.allocate((int) block.bytes());
        assertThat(block.copyTo(into, 7, piece -> {})).isTrue();
        return into.array();
    }
}
