package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two users work on the same two hosts at once. Each has an agent on each host, with a directory and a port of its own;
 * the cable is one, and so is the budget of each device.
 */
@Tag("ladder")
class TwoUsersTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @Test
    void bothGoByRdmaOverTheSameCable(@TempDir Path one, @TempDir Path other) throws Exception {
        try (AgentPair mine = agents(one, one);
                AgentPair others = agents(other, one);
                TwoHosts hosts = TwoHosts.start(one);
                TwoHosts otherHosts = TwoHosts.start(other)) {
            mine.startBoth();
            others.startBoth();
            Process driver = EndlessDriver.start(others.applyTo(otherHosts.applicationConf("other-user")), other);
            try (JavaSparkContext context = new JavaSparkContext(mine.applyTo(hosts.applicationConf("one-user")))) {
                await().atMost(PATIENCE).until(() -> !driver.isAlive() || others.servedBytes() > 0);
                CountingJob job = new CountingJob(context, 20_000, 12);
                job.awaitRdma(mine);
                long before = others.servedBytes();
                await().atMost(PATIENCE).until(() -> !driver.isAlive() || others.servedBytes() > before);

                assertThat(driver.isAlive())
                        .as(Files.readString(EndlessDriver.said(other)))
                        .isTrue();
                assertThat(queuePairs(mine)).isGreaterThanOrEqualTo(2);
            } finally {
                driver.destroyForcibly().onExit().join();
            }
        }
    }

    /** @param fabric the directory of the state of the cable that both have */
    private static AgentPair agents(Path directory, Path fabric) throws IOException {
        AgentPair agents = new AgentPair(Files.createDirectories(directory.resolve("n")), Map.of());
        Files.write(
                agents.topologyFile(),
                List.of(
                        "profile apple",
                        "state " + fabric.resolve("state"),
                        "host host0",
                        "host host1",
                        "cable c0-1 host0:en5 host1:en5"));
        return agents;
    }

    /** Returns how many the device of one host has given out, to all users together. */
    private static long queuePairs(AgentPair agents) {
        return agents.cables().statistics().at("/ports/0/queuePairs/used").asLong();
    }
}
