package io.boltshuffle.integration;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.os.OperatingSystem;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The wall clock of hosts is set, as by a time server, and their name changes, while agents and executors run: a
 * library that is loaded before the C library tells them so.
 */
@Tag("ladder")
class ChangedHostTest {
    private static final Path LIBRARY = Path.of("..", "rdma-native", "target", "emulator", "libchangedhost.so");
    private static final int NAME_BYTES = 64;

    private final Path changes;
    private final AgentPair agents;
    private final TwoHosts hosts;
    private final JavaSparkContext context;
    private final CountingJob job;

    ChangedHostTest(@TempDir Path directory) throws IOException {
        Assumptions.assumeTrue(
                OperatingSystem.current() == OperatingSystem.LINUX, "it takes a library before the system's");
        changes = directory.resolve("changes");
        change(Duration.ZERO, "");
        // A copy, because LD_PRELOAD allows no path with a space.
        Path library = Files.copy(LIBRARY, directory.resolve("libchangedhost.so"));
        Map<String, String> environment =
                Map.of("LD_PRELOAD", library.toString(), "BOLT_CHANGED_HOST", changes.toString());
        agents = new AgentPair(Files.createDirectories(directory.resolve("n")), environment).startBoth();
        hosts = TwoHosts.start(directory);
        SparkConf conf = agents.applyTo(hosts.applicationConf("changed-host"));
        environment.forEach((name, value) -> conf.set("spark.executorEnv." + name, value));
        context = new JavaSparkContext(conf);
        job = new CountingJob(context, 20_000, 12);
    }

    @BeforeEach
    void awaitRdma() {
        job.awaitRdma(agents);
    }

    @AfterEach
    void close() {
        context.close();
        hosts.close();
        agents.close();
    }

    @Test
    void whenTheClockIsSetJobsGoOnByRdmaOverTheSameLink() throws Exception {
        List<Long> processes = agents.processes();
        long ups = ups();

        for (Duration step : List.of(Duration.ofHours(3), Duration.ofDays(-2), Duration.ofDays(40))) {
            change(step, "");
            assertThat(hoursAhead()).isBetween(step.toHours() - 1, step.toHours() + 1);
            expectRdma();
        }

        assertThat(agents.processes()).isEqualTo(processes);
        assertThat(ups()).isEqualTo(ups).isPositive();
    }

    @Test
    void whenHostsAreRenamedJobsGoOnByRdmaOverTheSameLinkAndAgentsMayStartAgain() throws Exception {
        List<Long> processes = agents.processes();
        long ups = ups();

        change(Duration.ZERO, "renamed");

        assertThat(nameOfHost()).isEqualTo("renamed");
        expectRdma();
        assertThat(agents.processes()).isEqualTo(processes);
        assertThat(ups()).isEqualTo(ups).isPositive();

        agents.restart(AgentPair.SERVER, Map.of());
        job.awaitRdma(agents);
        change(Duration.ZERO, "");
        expectRdma();
    }

    private void expectRdma() {
        long before = agents.servedBytes();
        assertThat(job.run()).isEqualTo(job.expected());
        assertThat(agents.servedBytes()).isGreaterThan(before);
    }

    /** Returns the host's name as a program sees it that an executor starts. */
    private String nameOfHost() {
        return context.parallelize(List.of(1), 1)
                .map(task -> {
                    try (BufferedReader said =
                            new ProcessBuilder("uname", "-n").start().inputReader()) {
                        return said.readLine();
                    }
                })
                .first();
    }

    /** How often the link came up so far. */
    private long ups() throws IOException {
        return agents.status(AgentPair.READER).at("/peers/0/cables/0/ups").asLong();
    }

    /** How far the clocks of executors are ahead of this process's. */
    private long hoursAhead() {
        long there = context.parallelize(List.of(1), 1)
                .map(task -> System.currentTimeMillis())
                .first();
        return Duration.ofMillis(there - System.currentTimeMillis()).toHours();
    }

    /** The file is changed in place, because processes have it mapped. */
    private void change(Duration clock, String name) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES + NAME_BYTES).order(ByteOrder.nativeOrder());
        bytes.putLong(clock.toSeconds()).put(name.getBytes(US_ASCII)).rewind();
        try (FileChannel file = FileChannel.open(changes, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            file.write(bytes, 0);
        }
    }
}
