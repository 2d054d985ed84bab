package io.boltshuffle.integration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.boltshuffle.os.OperatingSystem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A file of map output that its disk does not give back: each read of it fails with an I/O error, in agents and in
 * executors. A library that is loaded before the C library makes it fail.
 */
@Tag("ladder")
class DyingDiskTest {
    private static final Path LIBRARY = Path.of("..", "rdma-native", "target", "emulator", "libbaddisk.so");
    private static final int PATH_BYTES = 4096;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Path directory;
    private final Path badFile;

    DyingDiskTest(@TempDir Path directory) throws IOException {
        Assumptions.assumeTrue(
                OperatingSystem.current() == OperatingSystem.LINUX, "it takes a library before the system's");
        this.directory = directory.toRealPath();
        this.badFile = Files.write(directory.resolve("bad-file"), new byte[PATH_BYTES]);
    }

    @ParameterizedTest
    @EnumSource
    void mapsWhoseOutputCannotBeReadRunAgain(ShuffleKind shuffle) throws Exception {
        // A copy, because LD_PRELOAD allows no path with a space.
        Path library = Files.copy(LIBRARY, directory.resolve("libbaddisk.so"));
        Map<String, String> environment = Map.of("LD_PRELOAD", library.toString(), "BOLT_BAD_DISK", badFile.toString());
        try (AgentPair agents =
                        new AgentPair(Files.createDirectories(directory.resolve("n")), environment).startBoth();
                TwoHosts hosts = TwoHosts.start(directory)) {
            SparkConf conf = shuffle.applyTo(agents.applyTo(hosts.applicationConf("dying-disk")))
                    .set("spark.shuffle.io.retryWait", "1s");
            environment.forEach((name, value) -> conf.set("spark.executorEnv." + name, value));
            try (JavaSparkContext context = new JavaSparkContext(conf)) {
                CountingJob job = new CountingJob(context, 20_000, 12);
                if (shuffle == ShuffleKind.OURS) {
                    job.awaitRdma(agents);
                }
                ShuffleReads reads = ShuffleReads.listeningTo(context.sc());
                JavaPairRDD<Integer, Integer> counts =
                        job.counts(CountingJob.Moment.FIRST_ROW, CountingJob.Interruption.NONE);
                assertThat(counts.collectAsMap()).isEqualTo(job.expected());
                assertThat(reads.retriedStages()).isEmpty();

                loseToTheDisk(MapOutputs.newestFile(hosts.localDirectory()).toRealPath());
                assertThat(counts.collectAsMap()).isEqualTo(job.expected());

                assertThat(reads.retriedStages()).isNotEmpty();
                if (shuffle == ShuffleKind.OURS) {
                    job.awaitRdma(agents);
                }
                for (String host : TwoHosts.HOSTS) {
                    await().atMost(PATIENCE)
                            .untilAsserted(() -> assertThat(agents.status(host)
                                            .at("/memory/pinnedBytes")
                                            .asLong(-1))
                                    .isZero());
                }
            }
        }
    }

    /** Processes have the file that names it mapped, so it is changed in place. */
    private void loseToTheDisk(Path file) throws IOException {
        ByteBuffer name = UTF_8.encode(file.toString());
        try (FileChannel bad = FileChannel.open(badFile, StandardOpenOption.WRITE)) {
            bad.write(name, 0);
        }
    }
}
