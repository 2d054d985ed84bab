package io.boltshuffle.integration;

import static java.util.Objects.requireNonNull;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.repeat;
import static org.apache.spark.sql.functions.sum;
import static org.apache.spark.sql.functions.xxhash64;
import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import io.boltshuffle.spark.BoltShuffleManager;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.MapOutputTrackerMaster;
import org.apache.spark.SparkEnv;
import org.apache.spark.metrics.source.Source;
import org.apache.spark.scheduler.MapStatus;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import scala.jdk.javaapi.CollectionConverters;

/** SQL's rows through our writer: the answers are those that Spark's writers give, and it was ours that wrote. */
@Tag("slow")
class WriterJobsTest {
    private static final long ROWS = 60_000;

    @ParameterizedTest
    @CsvSource("lz4, 200, 512, false")
    void answersAreThoseOfSparksWriters(String codec, int partitions, int megabytes, boolean encrypted) {
        assertSameAnswers(codec, partitions, megabytes, encrypted);
    }

    @Tag("ci")
    @ParameterizedTest
    @CsvSource({"zstd, 40, 24, true", "zstd, 200, 512, false", "snappy, 7, 512, true", "lz4, 200, 24, false"})
    void answersAreThoseOfSparksWritersInOtherCases(String codec, int partitions, int megabytes, boolean encrypted) {
        assertSameAnswers(codec, partitions, megabytes, encrypted);
    }

    private static void assertSameAnswers(String codec, int partitions, int megabytes, boolean encrypted) {
        List<String> expected = answers(session(codec, partitions, megabytes, encrypted, false));

        SparkSession ours = session(codec, partitions, megabytes, encrypted, true);
        List<String> actual = answers(ours);

        assertThat(actual).isEqualTo(expected);
    }

    @Tag("ci")
    @Test
    void aCodecThatSparksWritersKeepIsLeftToThem() {
        List<String> expected = answers(session("lzf", 40, 512, false, false));

        assertThat(answers(session("lzf", 40, 512, false, true), "codec")).isEqualTo(expected);
    }

    /** By this checksum Spark tells, from 4.1 on, whether a stage that ran again wrote other rows. */
    @ParameterizedTest
    @ValueSource(ints = {24, 512})
    void theChecksumsOfRowsAreThoseOfSparksWriter(int megabytes) {
        List<Long> expected = rowChecksums(session("lz4", 40, megabytes, false, false));

        List<Long> actual = rowChecksums(session("lz4", 40, megabytes, false, true));

        assertThat(expected).hasSize(5).doesNotContain(0L).doesNotHaveDuplicates();
        assertThat(actual).isEqualTo(expected);
    }

    /** Returns the checksums of the map tasks of one shuffle, in their order. */
    private static List<Long> rowChecksums(SparkSession spark) {
        try {
            spark.conf().set("spark.sql.shuffle.orderIndependentChecksum.enabled", "true");
            Dataset<Row> moved = rows(spark).repartition(col("key"));
            assertThat(moved.agg(sum(xxhash64(col("id"), col("text")).mod(1_000_003)))
                            .collectAsList())
                    .hasSize(1);
            if (SparkEnv.get().shuffleManager() instanceof BoltShuffleManager) {
                assertThat(counter("write.records")).isGreaterThanOrEqualTo(ROWS);
            }
            MapOutputTrackerMaster tracker =
                    (MapOutputTrackerMaster) SparkEnv.get().mapOutputTracker();
            MapStatus[] first = requireNonNull(CollectionConverters.asJava(tracker.shuffleStatuses())
                            .get(0))
                    .mapStatuses();
            return Stream.of(first).map(MapStatus::checksumValue).toList();
        } finally {
            spark.stop();
        }
    }

    private static Dataset<Row> rows(SparkSession spark) {
        Column key = col("id").multiply(31).mod(1_000).as("key");
        return spark.range(0, ROWS, 1, 5)
                .select(key, col("id"), repeat(col("id").cast("string"), 20).as("text"));
    }

    private static List<String> answers(SparkSession spark) {
        return answers(spark, "");
    }

    /** @param left why Spark's writers are to have written all; empty if ours are */
    private static List<String> answers(SparkSession spark, String left) {
        try {
            Dataset<Row> rows = rows(spark);
            Dataset<Row> moved = rows.repartition(col("key"));
            Dataset<Row> joined = moved.join(
                    spark.range(0, 2_000, 1, 3)
                            .select(col("id").as("key"), lit("right").as("side")),
                    "key");
            List<String> answers = List.of(
                    moved.agg(
                                    count(lit(1)),
                                    sum(xxhash64(col("key"), col("id"), col("text"))
                                            .mod(1_000_003)))
                            .collectAsList()
                            .toString(),
                    joined.groupBy("key", "side")
                            .agg(count(lit(1)), sum("id"))
                            .orderBy("key")
                            .collectAsList()
                            .toString(),
                    rows.repartition(3)
                            .distinct()
                            .agg(sum("id"))
                            .collectAsList()
                            .toString());
            if (!left.isEmpty()) {
                assertThat(counter("write.records")).isZero();
                assertThat(counter("write.spark." + left)).isPositive();
            } else if (SparkEnv.get().shuffleManager() instanceof BoltShuffleManager) {
                assertThat(counter("write.records")).isGreaterThan(3 * ROWS);
                assertThat(counter("write.spark.disabled")).isZero();
                assertThat(counter("write.spark.partitions")).isZero();
            }
            return answers;
        } finally {
            spark.stop();
        }
    }

    private static long counter(String name) {
        List<Source> sources =
                CollectionConverters.asJava(SparkEnv.get().metricsSystem().getSourcesByName("boltshuffle"));
        MetricRegistry registry = sources.get(0).metricRegistry();
        return registry.counter(name).getCount();
    }

    private static SparkSession session(String codec, int partitions, int megabytes, boolean encrypted, boolean ours) {
        return SparkSession.builder()
                .master("local[2]")
                .appName("writer-jobs")
                .config("spark.ui.enabled", "false")
                .config("spark.driver.host", "127.0.0.1")
                .config("spark.driver.bindAddress", "127.0.0.1")
                .config("spark.testing.memory", (long) megabytes << 20)
                .config("spark.testing.reservedMemory", "0")
                .config("spark.unsafe.exceptionOnMemoryLeak", "true")
                .config("spark.io.compression.codec", codec)
                .config("spark.io.encryption.enabled", encrypted)
                .config("spark.sql.shuffle.partitions", partitions)
                .config("spark.sql.autoBroadcastJoinThreshold", "-1")
                .config("spark.shuffle.manager", ours ? BoltShuffleManager.class.getName() : "sort")
                .getOrCreate();
    }
}
