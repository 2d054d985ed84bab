package io.boltshuffle.spark.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.conf.PartitionLimit;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.SparkConf;
import org.apache.spark.internal.config.ConfigEntry;
import org.apache.spark.internal.config.package$;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class WriterChoiceTest {
    private static final long PAGE_BYTES = 1 << 20;

    @Test
    void asManyPartitionsAsSparkHasFilesOpenForAreAlwaysOurs() {
        PartitionLimit limit = new PartitionLimit(0, 200);

        assertThat(limit.allows(200, Long.MAX_VALUE, PAGE_BYTES)).isTrue();
        assertThat(limit.allows(201, Long.MAX_VALUE, PAGE_BYTES)).isFalse();
    }

    @Test
    void moreAreOursWhereTheirBuffersFitAQuarterOfTheTasksMemory() {
        PartitionLimit limit = new PartitionLimit(0, 10);

        assertThat(limit.allows(128, 32 << 10, PAGE_BYTES)).isTrue();
        assertThat(limit.allows(129, 32 << 10, PAGE_BYTES)).isFalse();
    }

    @Test
    void aNumberThatTheUserSetsCountsAlone() {
        PartitionLimit limit = new PartitionLimit(100, 200);

        assertThat(limit.allows(100, Long.MAX_VALUE, PAGE_BYTES)).isTrue();
        assertThat(limit.allows(101, 1, PAGE_BYTES)).isFalse();
    }

    @Test
    void whereMemoryIsNotAccountedForSparksThresholdIsTheMost() {
        assertThat(new PartitionLimit(0, 200).allowsUnaccounted(200)).isTrue();
        assertThat(new PartitionLimit(0, 200).allowsUnaccounted(201)).isFalse();
        assertThat(new PartitionLimit(2_000, 200).allowsUnaccounted(201)).isFalse();
        assertThat(new PartitionLimit(100, 200).allowsUnaccounted(101)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "lz4, kryo, false, true",
        "none, kryo, false, true",
        "lz4, java, false, false",
        "none, java, false, false",
        "lz4, kryo, true, false",
        "zstd, kryo, false, false"
    })
    void moreThanSparksThresholdAreOursOnlyWhereAllMemoryIsAccountedFor(
            String codec, String serializer, boolean encrypted, boolean accounted, @TempDir Path directory) {
        Map<String, String> settings = WriterOutputTest.settings(codec, serializer, encrypted);
        settings.put("spark.boltshuffle.writer.maxPartitions", "1000");
        try (WriterFixture fixture = new WriterFixture(directory, settings)) {
            assertThat(fixture.leftToSpark(fixture.shuffle(200))).isEmpty();
            assertThat(fixture.leftToSpark(fixture.shuffle(201)))
                    .isEqualTo(accounted ? Optional.empty() : Optional.of(StockReason.PARTITIONS));
        }
    }

    @Test
    void memoryOffTheHeapSaysNothingOfBuffersOnIt(@TempDir Path directory) {
        Map<String, String> settings = WriterOutputTest.settings("lz4", "kryo", false);
        settings.put("spark.boltshuffle.writer.maxPartitions", "1000");
        settings.put("spark.memory.offHeap.enabled", "true");
        settings.put("spark.memory.offHeap.size", "1g");
        try (WriterFixture fixture = new WriterFixture(directory, settings)) {
            assertThat(fixture.leftToSpark(fixture.shuffle(200))).isEmpty();
            assertThat(fixture.leftToSpark(fixture.shuffle(201))).contains(StockReason.PARTITIONS);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "spark.shuffle.spill.numElementsForceSpillThreshold",
                "spark.shuffle.spill.maxSizeInBytesForSpillThreshold"
            })
    void spillsThatAUserForcesAreForSparksSorters(String setting, @TempDir Path directory) {
        Map<String, String> settings = WriterOutputTest.settings("lz4", "kryo", false);
        settings.put("spark.boltshuffle.writer.maxPartitions", "1000");
        settings.put(setting, "1000");
        try (WriterFixture fixture = new WriterFixture(directory, settings)) {
            assertThat(fixture.leftToSpark(fixture.shuffle(200)))
                    .as("Spark's bypass writer never spills")
                    .isEmpty();
            assertThat(fixture.leftToSpark(fixture.shuffle(201))).contains(StockReason.FORCED_SPILLS);
        }
    }

    @Test
    void thresholdsThatAreWrittenOutAsSparkHasThemForceNoSpill(@TempDir Path directory) {
        Map<String, String> settings = WriterOutputTest.settings("lz4", "kryo", false);
        settings.put("spark.boltshuffle.writer.maxPartitions", "1000");
        for (ConfigEntry<?> entry : List.of(
                package$.MODULE$.SHUFFLE_SPILL_NUM_ELEMENTS_FORCE_SPILL_THRESHOLD(),
                package$.MODULE$.SHUFFLE_SPILL_MAX_SIZE_FORCE_SPILL_THRESHOLD())) {
            settings.put(entry.key(), entry.defaultValueString());
        }
        try (WriterFixture fixture = new WriterFixture(directory, settings)) {
            assertThat(fixture.leftToSpark(fixture.shuffle(201))).isEmpty();
        }
    }

    @Test
    void aCodecThatDoesNotExistIsForSparksWriterToComplainOf() {
        assertThat(encoding("no-such-codec", false).known()).isFalse();
    }

    @Test
    void codecsAreTakenByNameAndOthersAreLeftToSpark() {
        assertThat(encoding("lz4", false).kind()).isEqualTo(Encoding.Kind.LZ4);
        assertThat(encoding("lz4", true).kind()).isEqualTo(Encoding.Kind.STREAMS);
        assertThat(encoding("zstd", false).known()).isTrue();
        assertThat(encoding("snappy", false).known()).isTrue();
        assertThat(encoding("lzf", false).known()).isFalse();
        assertThat(Encoding.of(new SparkConf(false).set("spark.shuffle.compress", "false"), false)
                        .kind())
                .isEqualTo(Encoding.Kind.PLAIN);
    }

    private static Encoding encoding(String codec, boolean encrypted) {
        return Encoding.of(new SparkConf(false).set("spark.io.compression.codec", codec), encrypted);
    }
}
