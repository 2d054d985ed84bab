package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.boltshuffle.cli.cluster.CableKind;
import io.boltshuffle.os.Signal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A driver is killed in the middle of a job, and started again under the same name, as a cluster's manager does it. */
@Tag("ladder")
class DriverRestartTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String NAME = "always of this name";

    @Test
    void theNextDriverOfTheSameNameGoesByRdmaAndNothingOfTheKilledOneIsLeft(@TempDir Path directory) throws Exception {
        try (AgentPair agents =
                        new AgentPair(Files.createDirectories(directory.resolve("n")), 1, CableKind.SEND).startBoth();
                TwoHosts hosts = TwoHosts.start(directory)) {
            SparkConf conf = agents.applyTo(hosts.applicationConf(NAME));
            Process killed = EndlessDriver.start(conf, directory);
            Set<String> before;
            try {
                await().atMost(PATIENCE).until(() -> !killed.isAlive() || agents.servedBytes() > 0);
                before = executors(agents);
                assertThat(before)
                        .as(Files.readString(EndlessDriver.said(directory)))
                        .hasSize(2);
            } finally {
                Signal.KILL.send(killed.pid());
                killed.onExit().join();
            }

            try (JavaSparkContext context = new JavaSparkContext(conf)) {
                CountingJob job = new CountingJob(context, 20_000, 12);
                job.awaitRdma(agents);

                await().atMost(PATIENCE)
                        .untilAsserted(
                                () -> assertThat(executors(agents)).hasSize(2).doesNotContainAnyElementsOf(before));
                assertThat(job.run()).isEqualTo(job.expected());
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

    /** Returns the executors that have a session with an agent, with their applications. */
    private static Set<String> executors(AgentPair agents) throws IOException {
        Set<String> executors = new HashSet<>();
        for (String host : TwoHosts.HOSTS) {
            for (JsonNode executor : agents.status(host).at("/executors")) {
                executors.add(executor.at("/application").asText() + " "
                        + executor.at("/executor").asText());
            }
        }
        return executors;
    }
}
