package io.boltshuffle.integration;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.sum;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.Tuple2;

/** Jobs of several shapes on two hosts, with results that are known beforehand. */
@Tag("slow")
class ShuffleJobsTest {
    private static final int ROWS = 100_000;
    private static final int KEYS = 1_000;
    private static final int MAPS = 8;

    private static TwoHosts hosts;
    private static SparkSession spark;
    private static ShuffleReads sinceStart;

    @BeforeAll
    static void start(@TempDir Path directory) throws IOException {
        hosts = TwoHosts.start(directory);
        spark = SparkSession.builder()
                .config(hosts.applicationConf("shuffle-jobs"))
                .config("spark.sql.shuffle.partitions", 50)
                .getOrCreate();
        sinceStart = ShuffleReads.listeningTo(spark.sparkContext());
    }

    @AfterAll
    static void stop() {
        spark.stop();
        hosts.close();
    }

    @Test
    void anAggregateWhosePartitionsAreCoalescedIsFetchedInBatches() throws Exception {
        ShuffleReads reads = ShuffleReads.listeningTo(spark.sparkContext());

        List<Row> rows = spark.range(0, ROWS, 1, MAPS)
                .groupBy(col("id").mod(KEYS).as("key"))
                .agg(sum("id"), count(lit(1)))
                .orderBy("key")
                .collectAsList();

        assertThat(rows).hasSize(KEYS);
        for (int key = 0; key < KEYS; key++) {
            Row row = rows.get(key);
            assertThat(row.getLong(0)).isEqualTo(key);
            assertThat(row.getLong(1)).isEqualTo(sumOfKey(key));
            assertThat(row.getLong(2)).isEqualTo(ROWS / KEYS);
        }
        // 50 partitions of 8 map outputs, half of them on the other host: 200 blocks if each were fetched alone.
        assertThat(reads.remoteBlocks()).isBetween(1L, 40L);
    }

    @Test
    void combinedAndSortedPairsAreCompleteAndInOrder() {
        JavaPairRDD<Integer, Long> sums = pairs().reduceByKey(Long::sum, 6).sortByKey(true, 4);

        List<Tuple2<Integer, Long>> collected = sums.collect();

        assertThat(collected).extracting(Tuple2::_1).containsExactlyElementsOf(keys());
        assertThat(collected).allSatisfy(pair -> assertThat(pair._2()).isEqualTo(sumOfKey(pair._1())));
    }

    @Test
    void groupsAndJoinsWithoutMapSideCombineAreComplete() {
        JavaPairRDD<Integer, Iterable<Long>> groups = pairs().groupByKey(5);
        JavaPairRDD<Integer, Long> sums = pairs().reduceByKey(Long::sum, 3);

        List<Tuple2<Integer, Boolean>> agreed = groups.join(sums, 4)
                .mapValues(both -> total(both._1()) == both._2())
                .collect();

        assertThat(agreed).extracting(Tuple2::_1).containsExactlyInAnyOrderElementsOf(keys());
        assertThat(agreed).allSatisfy(pair -> assertThat(pair._2()).isTrue());
    }

    @Test
    void whatOurClientCountsIsWhatSparkCountsAsRemote() throws Exception {
        assertThat(pairs().groupByKey(6).count()).isEqualTo(KEYS);
        long bytes = sinceStart.remoteBytes();
        long blocks = sinceStart.remoteBlocks();

        assertThat(bytes).isPositive();
        await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
            assertThat(counted("bytes.netty")).isEqualTo(bytes);
            assertThat(counted("blocks.netty")).isEqualTo(blocks);
            assertThat(counted("fallbacks.no_agent")).isEqualTo(blocks);
            assertThat(counted("fetches.netty")).isBetween(1L, blocks);
        });
        assertThat(counted("blocks.rdma")).isZero();
        assertThat(counted("failures")).isZero();
    }

    private static long counted(String metric) {
        return new ReportedMetrics(hosts.metricsDirectory())
                .total(spark.sparkContext().applicationId(), metric);
    }

    private static JavaPairRDD<Integer, Long> pairs() {
        List<Long> ids = LongStream.range(0, ROWS).boxed().toList();
        return new JavaSparkContext(spark.sparkContext())
                .parallelize(ids, MAPS)
                .mapToPair(id -> new Tuple2<>((int) (id % KEYS), id));
    }

    private static List<Integer> keys() {
        return IntStream.range(0, KEYS).boxed().toList();
    }

    /** Returns the sum of key, key + KEYS, key + 2 KEYS and so on, below ROWS. */
    private static long sumOfKey(int key) {
        long perKey = ROWS / KEYS;
        return perKey * key + KEYS * (perKey * (perKey - 1) / 2);
    }

    private static long total(Iterable<Long> values) {
        long total = 0;
        for (long value : values) {
            total += value;
        }
        return total;
    }
}
