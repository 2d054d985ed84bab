package io.boltshuffle.spark.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.boltshuffle.spark.write.WriterFixture.Output;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.TaskContext;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.serializer.KryoSerializer;
import org.apache.spark.shuffle.ShuffleWriter;
import org.apache.spark.shuffle.sort.SortShuffleManager;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import scala.Tuple2;

/** Compares what our writer commits with what Spark's commits and with the records. */
@Tag("slow")
class WriterOutputTest {
    private static final int PARTITIONS = 11;

    private final Path directory;

    WriterOutputTest(@TempDir Path directory) {
        this.directory = directory;
    }

    /** There is only one right output where a codec's blocks do not depend on when they are flushed. */
    @ParameterizedTest
    @CsvSource({"lz4, java", "lz4, kryo", "none, java", "none, kryo", "snappy, java"})
    void theFilesAreThoseOfSparksWriter(String codec, String serializer) {
        try (WriterFixture fixture = new WriterFixture(directory, settings(codec, serializer, false))) {
            ShuffleDependency<Object, Object, Object> shuffle = fixture.shuffle(PARTITIONS);
            for (Rows rows : List.of(Rows.texts(20_000, 1_000), Rows.skewed(3_000, 40), Rows.noise(5, 3, 65_536))) {
                Output stock = fixture.write(fixture.stock(), shuffle, fixture.newMapId(), rows);
                Output ours = fixture.write(fixture.ours(), shuffle, fixture.newMapId(), rows);

                assertThat(ours.lengths()).isEqualTo(stock.lengths());
                assertThat(ours.data()).isEqualTo(stock.data());
                assertThat(ours.checksumFile()).isNotEmpty().isEqualTo(stock.checksumFile());
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "lz4, java, false",
        "lz4, kryo, true",
        "zstd, java, false",
        "zstd, kryo, true",
        "snappy, kryo, false",
        "snappy, java, true",
        "none, java, true",
        "none, kryo, false"
    })
    void everyRecordIsReadBackInOrder(String codec, String serializer, boolean encrypted) {
        try (WriterFixture fixture = new WriterFixture(directory, settings(codec, serializer, encrypted))) {
            ShuffleDependency<Object, Object, Object> shuffle = fixture.shuffle(PARTITIONS);
            for (Rows rows : List.of(Rows.texts(20_000, 1_000), Rows.skewed(3_000, 40))) {
                assertHolds(fixture, shuffle, fixture.write(fixture.stock(), shuffle, fixture.newMapId(), rows), rows);
                assertHolds(fixture, shuffle, fixture.write(fixture.ours(), shuffle, fixture.newMapId(), rows), rows);
            }
        }
    }

    @Test
    void anInputWithoutARecordLeavesAnIndexOfZeros() {
        try (WriterFixture fixture = new WriterFixture(directory, settings("lz4", "java", false))) {
            ShuffleDependency<Object, Object, Object> shuffle = fixture.shuffle(PARTITIONS);
            Output stock = fixture.write(fixture.stock(), shuffle, fixture.newMapId(), Rows.texts(0, 1));
            Output ours = fixture.write(fixture.ours(), shuffle, fixture.newMapId(), Rows.texts(0, 1));

            assertThat(ours.data()).isEmpty();
            assertThat(ours.lengths()).hasSize(PARTITIONS).containsOnly(0);
            assertThat(ours.checksumFile()).isEqualTo(stock.checksumFile());
        }
    }

    /** Those that the tab and the event log show. */
    @ParameterizedTest
    @CsvSource({"lz4, java", "none, kryo"})
    void whatSparkCountsIsWhatItCountsOfItsOwnWriter(String codec, String serializer) {
        try (WriterFixture fixture = new WriterFixture(directory, settings(codec, serializer, false))) {
            ShuffleDependency<Object, Object, Object> shuffle = fixture.shuffle(PARTITIONS);
            for (Rows rows : List.of(Rows.texts(0, 1), Rows.texts(20_000, 1_000), Rows.skewed(3_000, 40))) {
                List<Long> stock = fixture.inTask(() -> counted(fixture, fixture.stock(), shuffle, rows));

                List<Long> ours = fixture.inTask(() -> counted(fixture, fixture.ours(), shuffle, rows));

                assertThat(ours).isEqualTo(stock).first().isEqualTo((long) rows.size());
            }
        }
    }

    /** Records, bytes, spilled bytes in memory and on disk, and whether any time was counted. */
    private static List<Long> counted(
            WriterFixture fixture,
            SortShuffleManager manager,
            ShuffleDependency<Object, Object, Object> shuffle,
            Rows rows)
            throws IOException {
        Output output = fixture.writeHere(manager, shuffle, fixture.newMapId(), rows);
        TaskMetrics metrics = TaskContext.get().taskMetrics();
        assertThat(metrics.shuffleWriteMetrics().bytesWritten()).isEqualTo(output.data().length);
        return List.of(
                metrics.shuffleWriteMetrics().recordsWritten(),
                metrics.shuffleWriteMetrics().bytesWritten(),
                metrics.memoryBytesSpilled(),
                metrics.diskBytesSpilled(),
                (long) Long.signum(metrics.shuffleWriteMetrics().writeTime()));
    }

    @Test
    void aTaskThatWroteNothingCannotEndInSuccess() {
        try (WriterFixture fixture = new WriterFixture(directory, settings("lz4", "java", false))) {
            ShuffleDependency<Object, Object, Object> shuffle = fixture.shuffle(PARTITIONS);
            boolean checked = fixture.inTask(() -> {
                for (SortShuffleManager manager : List.of(fixture.stock(), fixture.ours())) {
                    assertThat(WriterFixture.writer(manager, shuffle, fixture.newMapId())
                                    .stop(false)
                                    .isEmpty())
                            .isTrue();
                    ShuffleWriter<Object, Object> writer = WriterFixture.writer(manager, shuffle, fixture.newMapId());
                    assertThatThrownBy(() -> writer.stop(true)).isInstanceOf(IllegalStateException.class);
                }
                return true;
            });
            assertThat(checked).isTrue();
        }
    }

    @Test
    void aPartitionWithoutARecordHasNoByte() {
        try (WriterFixture fixture = new WriterFixture(directory, settings("zstd", "java", true))) {
            ShuffleDependency<Object, Object, Object> shuffle = fixture.shuffle(PARTITIONS);
            Output output = fixture.write(fixture.ours(), shuffle, fixture.newMapId(), Rows.texts(1_000, 2));

            assertThat(output.lengths()[0]).isPositive();
            assertThat(output.lengths()[1]).isPositive();
            for (int partition = 2; partition < PARTITIONS; partition++) {
                assertThat(output.lengths()[partition]).isZero();
            }
        }
    }

    static void assertHolds(
            WriterFixture fixture, ShuffleDependency<Object, Object, Object> shuffle, Output output, Rows rows) {
        List<List<Tuple2<Object, Object>>> expected =
                rows.byPartition(shuffle.partitioner().numPartitions());
        for (int partition = 0; partition < expected.size(); partition++) {
            assertThat(comparable(fixture.read(shuffle, output.partition(partition))))
                    .isEqualTo(comparable(expected.get(partition)));
        }
    }

    /** Arrays have no equals(). */
    private static List<Object> comparable(List<Tuple2<Object, Object>> records) {
        List<Object> list = new ArrayList<>();
        records.forEach(pair -> {
            list.add(pair._1());
            list.add(pair._2() instanceof byte[] bytes ? java.nio.ByteBuffer.wrap(bytes) : pair._2());
        });
        return list;
    }

    static Map<String, String> settings(String codec, String serializer, boolean encrypted) {
        Map<String, String> settings = new HashMap<>();
        settings.put("spark.shuffle.compress", String.valueOf(!codec.equals("none")));
        if (!codec.equals("none")) {
            settings.put("spark.io.compression.codec", codec);
        }
        if (serializer.equals("kryo")) {
            settings.put("spark.serializer", KryoSerializer.class.getName());
        }
        settings.put("spark.io.encryption.enabled", String.valueOf(encrypted));
        return settings;
    }
}
