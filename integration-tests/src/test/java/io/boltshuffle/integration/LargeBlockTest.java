package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.boltshuffle.cli.cluster.CableKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import scala.Tuple2;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag$;

/** One block of more bytes than an int can say, written on one host and read on the other. */
@Tag("ladder")
class LargeBlockTest {
    private static final int ROWS = 2_200;
    private static final long BLOCK_BYTES = (long) ROWS * LargeRows.BYTES;

    @ParameterizedTest
    @EnumSource(
            value = CableKind.class,
            names = {"SEND", "READ"})
    void aBlockOfMoreThanTwoGibibytesComesByRdma(CableKind kind, @TempDir Path directory) throws Exception {
        assertThat(BLOCK_BYTES).isGreaterThan(1L << 31);
        try (AgentPair agents = new AgentPair(Files.createDirectories(directory.resolve("n")), 1, kind).startBoth();
                TwoHosts hosts = TwoHosts.start(directory)) {
            SparkConf conf = ShuffleKind.withPlugin(agents.applyTo(hosts.applicationConf("large-block")))
                    .set("spark.serializer", "org.apache.spark.serializer.KryoSerializer")
                    .set("spark.shuffle.compress", "false")
                    .set("spark.shuffle.reduceLocality.enabled", "false");
            try (JavaSparkContext context = new JavaSparkContext(conf)) {
                CountingJob small = new CountingJob(context, 6_000, 4);
                small.awaitRdma(agents);
                long before = agents.servedBytes();
                ShuffleReads reads = ShuffleReads.listeningTo(context.sc());

                List<Tuple2<Integer, Long>> read = oneBlock(context);

                assertThat(read)
                        .containsExactly(new Tuple2<>(
                                ROWS,
                                IntStream.range(0, ROWS)
                                        .mapToLong(row -> LargeRows.checksum(LargeRows.row(row)))
                                        .sum()));
                assertThat(reads.remoteBlocks()).isEqualTo(1);
                assertThat(reads.remoteBytes()).isGreaterThan(BLOCK_BYTES);
                assertThat(reads.retriedStages()).isEmpty();
                assertThat(agents.servedBytes() - before).isGreaterThan(BLOCK_BYTES);
                for (String host : TwoHosts.HOSTS) {
                    await().atMost(Duration.ofMinutes(1))
                            .untilAsserted(() -> assertThat(agents.status(host)
                                            .at("/memory/pinnedBytes")
                                            .asLong(-1))
                                    .isZero());
                }
            }
        }
    }

    /** Returns how many rows the reading host got from the serving one, and the sum of their checksums. */
    private static List<Tuple2<Integer, Long>> oneBlock(JavaSparkContext context) {
        return at(context, AgentPair.SERVER)
                .flatMapToPair(one -> IntStream.range(0, ROWS)
                        .mapToObj(row -> new Tuple2<>(0, LargeRows.row(row)))
                        .iterator())
                .partitionBy(new HashPartitioner(1))
                .zipPartitions(at(context, AgentPair.READER), LargeBlockTest::sum)
                .collect();
    }

    private static Iterator<Tuple2<Integer, Long>> sum(Iterator<Tuple2<Integer, byte[]>> rows, Iterator<Integer> one) {
        String host = SparkEnv.get().blockManager().blockManagerId().host();
        if (!host.equals(AgentPair.READER)) {
            throw new IllegalStateException("the task that reads runs on " + host + ", where the block was written");
        }
        one.next();
        int count = 0;
        long sum = 0;
        while (rows.hasNext()) {
            sum += LargeRows.checksum(rows.next()._2());
            count++;
        }
        return List.of(new Tuple2<>(count, sum)).iterator();
    }

    /** A number in one partition, whose tasks run on that host. */
    private static JavaRDD<Integer> at(JavaSparkContext context, String host) {
        Seq<String> preferred = CollectionConverters.asScala(List.of(host)).toSeq();
        List<Tuple2<Integer, Seq<String>>> placed = List.of(new Tuple2<>(0, preferred));
        return context.sc()
                .makeRDD(CollectionConverters.asScala(placed).toSeq(), ClassTag$.MODULE$.<Integer>apply(Integer.class))
                .toJavaRDD();
    }
}
