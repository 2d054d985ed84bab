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
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A disk that fails, in agents and in executors: each read of a file of map output is an I/O error, or each write to an
 * executor's directory is. A library that is loaded before the C library makes them fail.
 */
@Tag("ladder")
class DyingDiskTest {
    private static final Path LIBRARY = Path.of("..", "rdma-native", "target", "emulator", "libbaddisk.so");
    private static final int PATH_BYTES = 4096;
    private static final int READ = 0; // where the file that names them says what cannot be read
    private static final int WRITE = PATH_BYTES; // and where it says what cannot be written to
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Path directory;
    private final Path badFile;
    private @Nullable Path local; // where executors write

    DyingDiskTest(@TempDir Path directory) throws IOException {
        Assumptions.assumeTrue(
                OperatingSystem.current() == OperatingSystem.LINUX, "it takes a library before the system's");
        this.directory = directory.toRealPath();
        this.badFile = Files.write(directory.resolve("bad-file"), new byte[2 * PATH_BYTES]);
    }

    @ParameterizedTest
    @EnumSource
    void mapsWhoseOutputCannotBeReadRunAgain(ShuffleKind shuffle) throws Exception {
        onADisk(shuffle, Map.of(), (context, job, agents) -> {
            ShuffleReads reads = ShuffleReads.listeningTo(context.sc());
            JavaPairRDD<Integer, Integer> counts =
                    job.counts(CountingJob.Moment.FIRST_ROW, CountingJob.Interruption.NONE);
            assertThat(counts.collectAsMap()).isEqualTo(job.expected());
            assertThat(reads.retriedStages()).isEmpty();

            fail(READ, newestOutput());
            assertThat(counts.collectAsMap()).isEqualTo(job.expected());
            assertThat(reads.retriedStages()).isNotEmpty();
        });
    }

    @ParameterizedTest
    @EnumSource
    void mapsWhoseOutputCannotBeWrittenRunOnTheOtherHost(ShuffleKind shuffle) throws Exception {
        Map<String, String> sendsThemElsewhere = Map.of(
                "spark.excludeOnFailure.enabled",
                "true",
                // It may still read there, though most of what it reads is on the other host.
                "spark.excludeOnFailure.application.maxFailedTasksPerExecutor",
                "100",
                "spark.shuffle.reduceLocality.enabled",
                "false");
        onADisk(shuffle, sendsThemElsewhere, (context, job, agents) -> {
            ShuffleReads reads = ShuffleReads.listeningTo(context.sc());
            assertThat(job.run()).isEqualTo(job.expected());
            assertThat(MapOutputs.executors()).hasSize(2);
            assertThat(reads.failedTasks()).isZero();

            // Each block of an executor is in one of many directories within the executor's own.
            Path ofAnExecutor = newestOutput().resolve("../..").normalize();
            Set<Path> before = filesOf(ofAnExecutor);
            fail(WRITE, ofAnExecutor);
            long served = agents.servedBytes();
            JavaPairRDD<Integer, Integer> counts =
                    job.counts(CountingJob.Moment.FIRST_ROW, CountingJob.Interruption.NONE);
            assertThat(counts.collectAsMap()).isEqualTo(job.expected());
            assertThat(reads.failedTasks()).isNotZero();
            assertThat(filesOf(ofAnExecutor)).as("left by tasks that failed").isSubsetOf(before);
            assertThat(agents.servedBytes() > served).isEqualTo(shuffle.goesByRdma());

            fail(WRITE, Path.of(""));
        });
    }

    private interface Job {
        void run(JavaSparkContext context, CountingJob job, AgentPair agents) throws Exception;
    }

    /** Before and after the job blocks come by RDMA, and agents have their memory back in the end. */
    private void onADisk(ShuffleKind shuffle, Map<String, String> more, Job body) throws Exception {
        // A copy, because LD_PRELOAD allows no path with a space.
        Path library = Files.copy(LIBRARY, directory.resolve("libbaddisk.so"));
        Map<String, String> environment = Map.of("LD_PRELOAD", library.toString(), "BOLT_BAD_DISK", badFile.toString());
        try (AgentPair agents =
                        new AgentPair(Files.createDirectories(directory.resolve("n")), environment).startBoth();
                TwoHosts hosts = TwoHosts.start(directory)) {
            SparkConf conf = shuffle.applyTo(agents.applyTo(hosts.applicationConf("dying-disk")))
                    .set("spark.shuffle.io.retryWait", "1s");
            more.forEach(conf::set);
            environment.forEach((name, value) -> conf.set("spark.executorEnv." + name, value));
            local = hosts.localDirectory();
            try (JavaSparkContext context = new JavaSparkContext(conf)) {
                CountingJob job = new CountingJob(context, 20_000, 12);
                if (shuffle.goesByRdma()) {
                    job.awaitRdma(agents);
                }
                body.run(context, job, agents);
                if (shuffle.goesByRdma()) {
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

    private Path newestOutput() throws IOException {
        return MapOutputs.newestFile(Objects.requireNonNull(local)).toRealPath();
    }

    private static Set<Path> filesOf(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile).collect(Collectors.toSet());
        }
    }

    /**
     * Makes each read of a file fail, or each write to a directory. Processes have the file that names them mapped, so
     * it is changed in place.
     */
    private void fail(int position, Path path) throws IOException {
        ByteBuffer name = UTF_8.encode(path + "\0");
        try (FileChannel bad = FileChannel.open(badFile, StandardOpenOption.WRITE)) {
            bad.write(name, position);
        }
    }
}
