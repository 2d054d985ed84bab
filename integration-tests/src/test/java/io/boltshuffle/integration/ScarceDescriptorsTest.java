package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.cli.cluster.CableKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Jobs of executors and agents that may have 256 files and sockets open, and of agents that may have hardly more than
 * they have. Executors are started so, agents are told so once they run.
 */
@Tag("ladder")
class ScarceDescriptorsTest {
    private static final int FEW = 256;
    private static final int FILES_OF_A_JOB = 5; // each host has three map outputs of a job, and a socket or two come

    private final Path directory;

    ScarceDescriptorsTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @ParameterizedTest
    @EnumSource
    void jobsEndRightWith256(ShuffleKind shuffle) throws Exception {
        run(shuffle, FEW);
    }

    @ParameterizedTest
    @EnumSource
    void jobsEndRightThoughAgentsCanOpenHardlyAnything(ShuffleKind shuffle) throws Exception {
        run(shuffle, 0);
    }

    /** @param ofAgents how many they may have, or 0 for what they have and a few more */
    private void run(ShuffleKind shuffle, int ofAgents) throws Exception {
        try (AgentPair agents =
                        new AgentPair(Files.createDirectories(directory.resolve("n")), 1, CableKind.SEND).startBoth();
                TwoHosts hosts = TwoHosts.start(directory)) {
            SparkConf conf = shuffle.applyTo(agents.applyTo(hosts.applicationConf("few-files")))
                    .set("spark.executorEnv.JAVA_HOME", javaWithFewFiles().toString());
            try (JavaSparkContext context = new JavaSparkContext(conf)) {
                assertThat(context.parallelize(List.of(1, 2), 2)
                                .map(task -> Files.readString(Path.of("/proc/self/limits")))
                                .collect())
                        .allSatisfy(limits -> assertThat(limits).containsPattern("Max open files\\s+256\\s+256"));
                CountingJob job = new CountingJob(context, 20_000, 12);
                if (shuffle == ShuffleKind.OURS) {
                    job.awaitRdma(agents);
                }
                for (String host : TwoHosts.HOSTS) {
                    limit(agents.pid(host), ofAgents);
                }
                // Stock's bypass writer opens a file for each partition, and fails with a hundred of them.
                for (int partitions : shuffle == ShuffleKind.OURS ? List.of(12, 100) : List.of(12)) {
                    CountingJob next = new CountingJob(context, 20_000, partitions);
                    assertThat(next.run()).isEqualTo(next.expected());
                    assertThat(next.runAndShuffleAgain(CountingJob.Interruption.NONE))
                            .isEqualTo(next.expected());
                }
                if (shuffle == ShuffleKind.OURS) {
                    for (String host : TwoHosts.HOSTS) {
                        limit(agents.pid(host), 20_000);
                    }
                    job.awaitRdma(agents);
                }
            }
        }
    }

    private static void limit(long process, int files) throws IOException, InterruptedException {
        long most = files;
        if (files == 0) {
            try (var open = Files.list(Path.of("/proc", Long.toString(process), "fd"))) {
                most = open.count() + FILES_OF_A_JOB;
            }
        }
        AgentPair.run(List.of("prlimit", "--pid", Long.toString(process), "--nofile=" + most + ":"));
    }

    /** Spark starts executors with the Java of this directory. */
    private Path javaWithFewFiles() throws IOException {
        Path home = directory.resolve("java-home");
        Path java = Files.createDirectories(home.resolve("bin")).resolve("java");
        Files.writeString(java, """
                #!/bin/sh
                ulimit -n %d && exec "%s/bin/java" "$@"
                """.formatted(FEW, System.getProperty("java.home")));
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwx------"));
        return home;
    }
}
