package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.boltshuffle.cli.cluster.CableKind;
import io.boltshuffle.cli.cluster.VirtualCables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import scala.Tuple2;

/** Jobs whose map outputs lie in memory: large blocks, which are taken from there, and small ones, by each codec. */
class OutputsJobsTest {

    private static final int ROWS = 8_000;
    private static final int KEYS = 240;
    private static final int ROW_BYTES = 1_000;
    private static final int MAPS = 8;
    /** As macOS numbers it. */
    private static final String EFAULT = "14";

    /** Blocks of some 80 KB, and of some 4 KB. */
    private static final List<Integer> PARTITIONS = List.of(12, 400);

    @Tag("versions")
    @ParameterizedTest
    @CsvSource({"zstd, false, SEND", "snappy, false, SEND", "none, false, SEND", "zstd, true, SEND", "lz4, false, READ"
    })
    void blocksArriveAsTheyWereWrittenByEachCodec(
            String codec, boolean encrypted, CableKind kind, @TempDir Path directory) throws Exception {
        blocksArriveAsTheyWereWritten(codec, encrypted, kind, directory);
    }

    @ParameterizedTest
    @CsvSource({"lz4, false, SEND", "none, true, READ"})
    void blocksArriveAsTheyWereWritten(String codec, boolean encrypted, CableKind kind, @TempDir Path directory)
            throws Exception {
        try (AgentPair agents = new AgentPair(Files.createDirectories(directory.resolve("n")), 2, kind)
                        .with("spark.boltshuffle.outputs.memory", "64m")
                        .startBoth();
                TwoHosts hosts = TwoHosts.start(directory);
                JavaSparkContext context = new JavaSparkContext(conf(hosts, agents, codec, encrypted))) {
            await().atMost(Duration.ofSeconds(90))
                    .pollInterval(Duration.ofSeconds(1))
                    .until(() -> {
                        for (int partitions : PARTITIONS) {
                            assertThat(sums(context, partitions).collectAsMap()).isEqualTo(expected());
                        }
                        return ofBoth(agents, "/counters/servedInPlaceBytes") > 0;
                    });
            assertThat(ofBoth(agents, "/counters/servedFromMemoryBytes"))
                    .as("small blocks are copied")
                    .isGreaterThan(ofBoth(agents, "/counters/servedInPlaceBytes"));
            assertThat(ofBoth(agents, "/peers/0/cables/0/failures/CHECKSUM_MISMATCH"))
                    .isZero();
            assertThat(ofBoth(agents, "/counters/servedClaimedBytes") > 0)
                    .as("checksums that the tasks made, where links have them")
                    .isEqualTo(kind == CableKind.SEND);
            assertThat(ofBoth(agents, "/outputs/damaged")).isZero();
        }
    }

    /** As on a Mac that has had many connections since it was started: a device connects with less memory only. */
    @Tag("versions")
    @Test
    void aDeviceThatDoesNotConnectDoesSoOnceOutputsGaveUpHalfOfTheirMemory(@TempDir Path directory) throws Exception {
        try (AgentPair agents = new AgentPair(Files.createDirectories(directory.resolve("n")), 1, CableKind.SEND)
                .with("spark.boltshuffle.outputs.memory", "64m")
                .startBoth()) {
            VirtualCables cables = agents.cables();
            AgentPair.run(List.of(
                    cables.emulator().resolveSibling("vtbctl").toString(),
                    cables.topology().toString(),
                    "port",
                    "host0:en5",
                    "rtr",
                    EFAULT,
                    "next",
                    "1"));
            try (TwoHosts hosts = TwoHosts.start(directory);
                    JavaSparkContext context = new JavaSparkContext(conf(hosts, agents, "none", false))) {
                await().atMost(Duration.ofSeconds(90))
                        .pollInterval(Duration.ofSeconds(1))
                        .until(() -> {
                            assertThat(sums(context, PARTITIONS.get(0)).collectAsMap())
                                    .isEqualTo(expected());
                            return ofBoth(agents, "/counters/servedInPlaceBytes") > 0;
                        });
            }
            assertThat(agents.status(AgentPair.READER)
                            .at("/outputs/givenUpBytes")
                            .asLong())
                    .isEqualTo(32 << 20);
            assertThat(agents.status(AgentPair.READER).at("/outputs/limitBytes").asLong())
                    .isEqualTo(32 << 20);
            assertThat(agents.status(AgentPair.SERVER)
                            .at("/outputs/givenUpBytes")
                            .asLong())
                    .isZero();
        }
    }

    private static SparkConf conf(TwoHosts hosts, AgentPair agents, String codec, boolean encrypted) {
        SparkConf conf = agents.applyTo(hosts.applicationConf("outputs"))
                .set("spark.shuffle.compress", Boolean.toString(!codec.equals("none")))
                .set("spark.io.encryption.enabled", Boolean.toString(encrypted))
                .set("spark.boltshuffle.writer.maxPartitions", "1000")
                .set("spark.shuffle.sort.bypassMergeThreshold", "1000");
        return codec.equals("none") ? conf : conf.set("spark.io.compression.codec", codec);
    }

    /** Adds up what rows carry by key, each of which is checked byte by byte. */
    private static JavaPairRDD<Integer, Long> sums(JavaSparkContext context, int partitions) {
        return context.parallelize(IntStream.range(0, ROWS).boxed().toList(), MAPS)
                .mapToPair(number -> new Tuple2<>(number % KEYS, new Tuple2<>(number, row(number))))
                .groupByKey(partitions)
                .mapValues(rows -> {
                    long sum = 0;
                    for (Tuple2<Integer, byte[]> row : rows) {
                        assertThat(row._2()).isEqualTo(row(row._1()));
                        sum += row._1();
                    }
                    return sum;
                });
    }

    private static Map<Integer, Long> expected() {
        return IntStream.range(0, ROWS)
                .boxed()
                .collect(Collectors.groupingBy(number -> number % KEYS, Collectors.summingLong(number -> number)));
    }

    /** Bytes that no codec makes fewer. */
    private static byte[] row(int number) {
        byte[] row = new byte[ROW_BYTES];
        new Random(number).nextBytes(row);
        return row;
    }

    private static long ofBoth(AgentPair agents, String figure) throws IOException {
        return agents.status(AgentPair.READER).at(figure).asLong()
                + agents.status(AgentPair.SERVER).at(figure).asLong();
    }
}
