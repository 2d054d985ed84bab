package io.boltshuffle.spark.write;

import static io.boltshuffle.spark.write.WriterOutputTest.assertHolds;
import static io.boltshuffle.spark.write.WriterOutputTest.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.boltshuffle.spark.write.WriterFixture.Output;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskKilledException;
import org.apache.spark.memory.MemoryConsumer;
import org.apache.spark.memory.MemoryMode;
import org.apache.spark.memory.TaskMemoryManager;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.execution.UnsafeRowSerializer;
import org.apache.spark.unsafe.Platform;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import scala.Product2;
import scala.Tuple2;

/**
 * Little memory, failures in the middle, and attempts that race. Spark fails a task of the {@link WriterFixture} that
 * leaves memory behind.
 */
@Tag("slow")
class WriterMemoryTest {
    private static final int PARTITIONS = 40;
    /** Tasks may have 60 % of this. */
    private static final long LITTLE_BYTES = 6 << 20;

    private static final long MOST_OF_IT_BYTES = 3 << 20;

    private final Path directory;

    WriterMemoryTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @ParameterizedTest
    @CsvSource({"lz4, java, false", "lz4, kryo, true", "zstd, kryo, false", "none, java, false", "snappy, java, true"})
    void whatWasSpilledSeveralTimesIsReadBackInOrder(String codec, String serializer, boolean encrypted) {
        try (WriterFixture fixture = new WriterFixture(directory, little(codec, serializer, encrypted))) {
            ShuffleDependency<Object, Object, Object> shuffle = fixture.shuffle(PARTITIONS);
            Rows rows = Rows.noise(20_000, 1_000, 1_000);
            Set<Path> before = fixture.files();

            Output output = fixture.write(fixture.ours(), shuffle, fixture.newMapId(), rows);

            assertHolds(fixture, shuffle, output, rows);
            assertThat(output.diskBytesSpilled()).isGreaterThan(10 << 20);
            assertThat(output.peakBytes()).isPositive().isLessThanOrEqualTo(LITTLE_BYTES);
            assertThat(fixture.files()).hasSize(before.size() + 3); // data, index, checksums
        }
    }

    @Test
    void theChecksumsOfWhatWasSpilledAreThoseOfTheOutput() {
        try (WriterFixture fixture = new WriterFixture(directory, little("none", "kryo", false))) {
            ShuffleDependency<Object, Object, Object> shuffle = fixture.shuffle(PARTITIONS);
            Rows rows = Rows.skewed(20_000, 1_000);

            Output stock = fixture.write(fixture.stock(), shuffle, fixture.newMapId(), rows);
            Output ours = fixture.write(fixture.ours(), shuffle, fixture.newMapId(), rows);

            assertThat(ours.diskBytesSpilled()).isPositive();
            assertThat(ours.data()).isEqualTo(stock.data());
            assertThat(ours.checksumFile()).isEqualTo(stock.checksumFile());
        }
    }

    /** Two thousand of Java's object streams keep what a spill could not free; Spark sorts and spills the records. */
    @ParameterizedTest
    @CsvSource({"kryo, true", "java, false"})
    void twoThousandPartitionsFitIntoSixtyFourMegabytesOrAreForSparksWriterToSort(String serializer, boolean ours) {
        Map<String, String> settings = withMemory(64 << 20, "lz4", serializer, false);
        settings.put("spark.boltshuffle.writer.maxPartitions", "2000");
        try (WriterFixture fixture = new WriterFixture(directory, settings)) {
            ShuffleDependency<Object, Object, Object> shuffle = fixture.shuffle(2_000);
            Rows rows = Rows.noise(100_000, 2_000, 1_000);

            Output output = fixture.write(fixture.ours(), shuffle, fixture.newMapId(), rows);

            assertHoldsSome(fixture, shuffle, output, rows);
            assertThat(output.peakBytes()).isLessThanOrEqualTo(64 << 20);
            assertThat(output.diskBytesSpilled()).isPositive();
            assertThat(fixture.leftToSpark(shuffle))
                    .isEqualTo(ours ? Optional.empty() : Optional.of(StockReason.PARTITIONS));
        }
    }

    @Test
    void anOperatorOffTheHeapIsNoReasonToSpill() {
        Map<String, String> settings = withMemory(64 << 20, "none", "kryo", false);
        settings.put("spark.memory.offHeap.enabled", "true");
        settings.put("spark.memory.offHeap.size", "16m");
        try (WriterFixture fixture = new WriterFixture(directory, settings)) {
            ShuffleDependency<Object, Object, Object> shuffle = fixture.shuffle(PARTITIONS);
            Rows rows = Rows.noise(10_000, 1_000, 1_000);

            Output output = fixture.inTask(() -> {
                Hoarder operator = new Hoarder(TaskContext.get().taskMemoryManager(), MemoryMode.OFF_HEAP);
                operator.acquireMemory(1 << 20);
                try {
                    return fixture.writeHere(fixture.ours(), shuffle, fixture.newMapId(), rows);
                } finally {
                    operator.giveBack();
                }
            });

            assertHolds(fixture, shuffle, output, rows);
            assertThat(output.diskBytesSpilled()).isZero();
        }
    }

    @Test
    void aThreadBesideTheTasksGetsTheMemoryThatRowsOfSqlHold() {
        try (WriterFixture fixture = new WriterFixture(directory, little("lz4", "java", false))) {
            ShuffleDependency<Object, Object, Object> shuffle =
                    fixture.shuffle(PARTITIONS, new UnsafeRowSerializer(1, null));
            List<Product2<Object, Object>> rows = new ArrayList<>();
            for (Product2<Object, Object> pair : Rows.noise(3_000, 1_000, 1_000)) {
                UnsafeRow row = new UnsafeRow(1);
                row.pointTo(pair._2(), Platform.BYTE_ARRAY_OFFSET, 1_000);
                rows.add(new Tuple2<>(pair._1(), row));
            }
            List<Long> granted = new ArrayList<>();

            fixture.write(fixture.ours(), shuffle, fixture.newMapId(), askingBeside(rows, granted));

            assertThat(granted).hasSize(2).last().isEqualTo(MOST_OF_IT_BYTES);
        }
    }

    /** Records in whose middle another thread of the task asks for most of the memory, until it gets it. */
    private static Iterable<Product2<Object, Object>> askingBeside(
            Iterable<Product2<Object, Object>> records, List<Long> granted) {
        return () -> new Iterator<>() {
            private final Iterator<Product2<Object, Object>> all = records.iterator();
            private final Hoarder feeder = new Hoarder(TaskContext.get().taskMemoryManager());
            private int count;

            @Override
            public boolean hasNext() {
                return all.hasNext();
            }

            @Override
            public Product2<Object, Object> next() {
                if (++count >= 1_500 && !granted.contains(MOST_OF_IT_BYTES)) {
                    CompletableFuture.runAsync(() -> {
                                granted.add(feeder.acquireMemory(MOST_OF_IT_BYTES));
                                feeder.giveBack();
                            })
                            .join();
                }
                return all.next();
            }
        };
    }

    /**
     * The thread that feeds Python asks like this: the writer cannot spill there, and does when its own thread writes
     * on.
     */
    @ParameterizedTest
    @ValueSource(strings = {"kryo", "java"})
    void aThreadBesideTheTasksGetsTheMemoryALittleLater(String serializer) {
        try (WriterFixture fixture = new WriterFixture(directory, little("lz4", serializer, false))) {
            ShuffleDependency<Object, Object, Object> shuffle = fixture.shuffle(PARTITIONS);
            Rows rows = Rows.noise(3_000, 1_000, 1_000);
            List<Long> granted = new ArrayList<>();

            Output output = fixture.write(fixture.ours(), shuffle, fixture.newMapId(), askingBeside(rows, granted));

            assertHolds(fixture, shuffle, output, rows);
            assertThat(granted).hasSize(2).last().isEqualTo(MOST_OF_IT_BYTES); // after the record that was under way
        }
    }

    /** Comparing all of them would make a hundred thousand arrays two thousand times. */
    private static void assertHoldsSome(
            WriterFixture fixture, ShuffleDependency<Object, Object, Object> shuffle, Output output, Rows rows) {
        for (int partition = 0; partition < 2_000; partition++) {
            var records = fixture.read(shuffle, output.partition(partition));
            assertThat(records).hasSize(50);
            for (int index = 0; index < records.size(); index++) {
                assertThat(records.get(index)._1()).isEqualTo(partition);
                assertThat((byte[]) records.get(index)._2())
                        .isEqualTo((byte[]) rows.get(partition + index * 2_000)._2());
            }
        }
    }

    @Test
    void aConsumerOfTheSameTaskGetsTheMemoryThatTheWriterHolds() {
        try (WriterFixture fixture = new WriterFixture(directory, little("lz4", "kryo", false))) {
            ShuffleDependency<Object, Object, Object> shuffle = fixture.shuffle(PARTITIONS);
            Rows rows = Rows.noise(20_000, 1_000, 1_000);
            long[] refused = {0};

            Output output =
                    fixture.write(fixture.ours(), shuffle, fixture.newMapId(), () -> new HungryIterator(rows, refused));

            assertHolds(fixture, shuffle, output, rows);
            assertThat(refused[0]).isZero();
        }
    }

    /**
     * Nothing is left for the writer, not even a page; Spark's bypass writer needs nothing, so ours must do with it.
     */
    @ParameterizedTest
    @CsvSource({"lz4, kryo", "zstd, java", "none, java"})
    void aWriterThatGetsNoMemoryAtAllStillWrites(String codec, String serializer) {
        try (WriterFixture fixture = new WriterFixture(directory, little(codec, serializer, false))) {
            ShuffleDependency<Object, Object, Object> shuffle = fixture.shuffle(PARTITIONS);
            Rows rows = Rows.noise(3_000, 1_000, 1_000);

            Output output = fixture.inTask(() -> {
                Hoarder hoarder = new Hoarder(TaskContext.get().taskMemoryManager());
                hoarder.takeAll();
                try {
                    return fixture.writeHere(fixture.ours(), shuffle, fixture.newMapId(), rows);
                } finally {
                    hoarder.giveBack();
                }
            });

            assertHolds(fixture, shuffle, output, rows);
            assertThat(output.peakBytes()).as("held without a grant").isBetween(1L << 10, 4L << 20);
        }
    }

    /**
     * A sort whose rows are written holds memory like this: its spill would write rows, and Spark's bypass writer asks
     * for none of its memory.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anOperatorThatHoldsTheTasksMemoryIsNotMadeToSpill(boolean offHeap) {
        Map<String, String> settings = little("lz4", "kryo", false);
        settings.put("spark.memory.offHeap.enabled", String.valueOf(offHeap));
        settings.put("spark.memory.offHeap.size", "16m");
        try (WriterFixture fixture = new WriterFixture(directory, settings)) {
            ShuffleDependency<Object, Object, Object> shuffle = fixture.shuffle(PARTITIONS);
            Rows rows = Rows.noise(6_000, 1_000, 1_000);
            List<Long> askedForBytes = new ArrayList<>();

            Output output = fixture.inTask(() -> {
                Hoarder operator = new Hoarder(TaskContext.get().taskMemoryManager(), MemoryMode.ON_HEAP) {
                    @Override
                    public long spill(long size, MemoryConsumer trigger) {
                        if (trigger == this) {
                            return 0;
                        }
                        askedForBytes.add(size);
                        long had = getUsed();
                        giveBack();
                        return had;
                    }
                };
                operator.takeAll();
                operator.freeMemory(200 << 10); // a little is free: that may be taken
                try {
                    return fixture.writeHere(fixture.ours(), shuffle, fixture.newMapId(), rows);
                } finally {
                    operator.giveBack();
                }
            });

            assertHolds(fixture, shuffle, output, rows);
            assertThat(askedForBytes).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({"lz4, java, false", "zstd, kryo, true", "snappy, java, false"})
    void aFailureInTheMiddleLeavesNeitherFilesNorMemory(String codec, String serializer, boolean encrypted) {
        try (WriterFixture fixture = new WriterFixture(directory, little(codec, serializer, encrypted))) {
            ShuffleDependency<Object, Object, Object> shuffle = fixture.shuffle(PARTITIONS);
            Set<Path> before = fixture.files();

            for (RuntimeException end :
                    List.of(new IllegalStateException("the rows end here"), new TaskKilledException("killed"))) {
                Throwable thrown = fixture.inTask(() -> catchThrowable(() -> fixture.writeHere(
                        fixture.ours(),
                        shuffle,
                        fixture.newMapId(),
                        () -> endingWith(Rows.noise(9_000, 100, 1_000), end))));
                assertThat(thrown).isSameAs(end);
            }

            assertThat(fixture.files()).isEqualTo(before);
        }
    }

    @Test
    void theFirstOfTwoAttemptsWithTheSameIdWins() {
        try (WriterFixture fixture = new WriterFixture(directory, settings("lz4", "java", false))) {
            ShuffleDependency<Object, Object, Object> shuffle = fixture.shuffle(PARTITIONS);
            long mapId = fixture.newMapId();
            Output first = fixture.write(fixture.ours(), shuffle, mapId, Rows.texts(1_000, 100));

            Output second = fixture.write(fixture.ours(), shuffle, mapId, Rows.texts(2_000, 100));

            assertThat(second.lengths()).isEqualTo(first.lengths());
            assertThat(second.data()).isEqualTo(first.data());
        }
    }

    /** A fetch failure, or a lost answer of the commit, makes a task run again like this while the first one ends. */
    @Test
    void oneOfTwoAttemptsThatCommitAtOnceWinsAndTheOtherTellsItsOutput() {
        // With little memory, one would wait for what the other holds.
        try (WriterFixture fixture = new WriterFixture(directory, settings("lz4", "kryo", false))) {
            ShuffleDependency<Object, Object, Object> shuffle = fixture.shuffle(PARTITIONS);
            Rows few = Rows.noise(2_000, 1_000, 1_000);
            Rows many = Rows.noise(4_000, 1_000, 1_000);
            for (int round = 0; round < 10; round++) {
                long mapId = fixture.newMapId();
                Set<Path> before = fixture.files();
                Queue<Output> outputs = new ConcurrentLinkedQueue<>();
                CyclicBarrier atTheEnd = new CyclicBarrier(2);

                fixture.inTasks(2, () -> {
                    Rows rows = TaskContext.getPartitionId() == 0 ? few : many;
                    outputs.add(
                            fixture.writeHere(fixture.ours(), shuffle, mapId, () -> meetingAtTheEnd(rows, atTheEnd)));
                    return rows;
                });

                Output first = outputs.remove();
                Output second = outputs.remove();
                assertThat(second.lengths()).isEqualTo(first.lengths());
                assertThat(second.data()).isEqualTo(first.data());
                assertThat(second.checksumFile()).isEqualTo(first.checksumFile());
                assertHolds(fixture, shuffle, first, first.data().length < 3_000_000 ? few : many);
                assertThat(fixture.files()).hasSize(before.size() + 3);
            }
        }
    }

    private static Iterator<Product2<Object, Object>> meetingAtTheEnd(Rows rows, CyclicBarrier others) {
        Iterator<Product2<Object, Object>> all = rows.iterator();
        return new Iterator<>() {
            private boolean met;

            @Override
            public boolean hasNext() {
                if (!all.hasNext() && !met) {
                    met = true;
                    try {
                        others.await(1, TimeUnit.MINUTES);
                    } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
                        throw new IllegalStateException(e);
                    }
                }
                return all.hasNext();
            }

            @Override
            public Product2<Object, Object> next() {
                return all.next();
            }
        };
    }

    @Test
    void unregisteringAShuffleDeletesWhatWasWrittenForIt() {
        try (WriterFixture fixture = new WriterFixture(directory, settings("lz4", "java", false))) {
            ShuffleDependency<Object, Object, Object> shuffle = fixture.shuffle(PARTITIONS);
            Set<Path> before = fixture.files();
            fixture.write(fixture.ours(), shuffle, fixture.newMapId(), Rows.texts(1_000, 100));
            assertThat(fixture.files()).hasSize(before.size() + 3);

            fixture.ours().unregisterShuffle(shuffle.shuffleId());

            assertThat(fixture.files()).isEqualTo(before);
        }
    }

    private static Map<String, String> withMemory(long bytes, String codec, String serializer, boolean encrypted) {
        Map<String, String> settings = new HashMap<>(settings(codec, serializer, encrypted));
        settings.put("spark.testing.memory", Long.toString(bytes));
        settings.put("spark.testing.reservedMemory", "0");
        return settings;
    }

    static Map<String, String> little(String codec, String serializer, boolean encrypted) {
        Map<String, String> settings = withMemory(LITTLE_BYTES, codec, serializer, encrypted);
        settings.put("spark.buffer.pageSize", "256k");
        return settings;
    }

    private static Iterator<Product2<Object, Object>> endingWith(Rows rows, RuntimeException end) {
        Iterator<Product2<Object, Object>> all = rows.iterator();
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return true;
            }

            @Override
            public Product2<Object, Object> next() {
                if (!all.hasNext()) {
                    throw end;
                }
                return all.next();
            }
        };
    }

    /** A consumer that never gives back what it has. */
    private static class Hoarder extends MemoryConsumer {
        Hoarder(TaskMemoryManager manager) {
            this(manager, MemoryMode.ON_HEAP);
        }

        Hoarder(TaskMemoryManager manager, MemoryMode mode) {
            super(manager, manager.pageSizeBytes(), mode);
        }

        void takeAll() {
            long got;
            do {
                got = acquireMemory(1 << 20);
            } while (got > 0);
        }

        void giveBack() {
            freeMemory(getUsed());
        }

        @Override
        public long spill(long size, MemoryConsumer trigger) throws IOException {
            return 0;
        }
    }

    /** Records from an operator that from time to time needs nearly all memory of the task. */
    private static final class HungryIterator implements Iterator<Product2<Object, Object>> {
        private static final long NEEDED = 2 << 20;

        private final Iterator<Product2<Object, Object>> rows;
        private final long[] refused;
        private final Hoarder operator = new Hoarder(TaskContext.get().taskMemoryManager());
        private int count;

        HungryIterator(Rows rows, long[] refused) {
            this.rows = rows.iterator();
            this.refused = refused;
        }

        @Override
        public boolean hasNext() {
            return rows.hasNext();
        }

        @Override
        public Product2<Object, Object> next() {
            if (++count % 1_000 == 0) {
                long got = operator.acquireMemory(NEEDED);
                if (got < NEEDED) {
                    refused[0]++;
                }
                operator.freeMemory(got);
            }
            return rows.next();
        }
    }
}
