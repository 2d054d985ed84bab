package io.boltshuffle.spark.write;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;

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
