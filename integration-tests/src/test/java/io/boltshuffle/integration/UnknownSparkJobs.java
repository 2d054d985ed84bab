package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.boltshuffle.cli.cluster.CableKind;
import io.boltshuffle.integration.demo.TabPages;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs on a Spark of a line that does not exist yet. {@code UnknownSparkTest} runs them with such a class path. */
class UnknownSparkJobs {

    @Test
    void aJobEndsRightByTcpAndTheTabSaysWhy(@TempDir Path directory) throws Exception {
        try (AgentPair agents = agents(directory).startBoth();
                TwoHosts hosts = TwoHosts.start(directory);
                JavaSparkContext context = new JavaSparkContext(conf(hosts, agents, directory))) {
            assertThat(context.version()).isEqualTo("4.9.0");
            CountingJob job = new CountingJob(context, 6_000, 4);

            new RemoteReads(agents, ShuffleReads.listeningTo(context.sc()))
                    .awaitAllByTcp(() -> assertThat(job.run()).isEqualTo(job.expected()));

            String page = TabPages.live(context, text -> text.contains("this is Spark 4.9.0"));
            assertThat(page).contains("spark.boltshuffle.unknownSpark=try").doesNotContain("No executor has reported");
            JsonNode json = new ObjectMapper().readTree(TabPages.json(context));
            assertThat(json.at("/notices/0/name").asText()).isEqualTo("unknown_spark");
            assertThat(json.at("/notices/0/text").asText()).contains("this is Spark 4.9.0");
            assertThat(json.path("notices")).hasSize(1);
            assertThat(transferServices(context)).containsOnly("NettyBlockTransferService");
        }
        // The command, which Spark writes first, has the class path of this build.
        assertThat(saidByExecutors(directory).lines().filter(line -> !line.contains("Spark Executor Command")))
                .isNotEmpty()
                .noneMatch(line -> line.contains("oltshuffle"));
    }

    @Test
    void whereTheUserWantsItTriedBlocksGoByRdma(@TempDir Path directory) throws Exception {
        try (AgentPair agents = agents(directory)
                        .with("spark.boltshuffle.unknownSpark", "try")
                        .startBoth();
                TwoHosts hosts = TwoHosts.start(directory);
                JavaSparkContext context = new JavaSparkContext(conf(hosts, agents, directory))) {
            assertThat(context.version()).isEqualTo("4.9.0");
            CountingJob job = new CountingJob(context, 6_000, 4);

            new RemoteReads(agents, ShuffleReads.listeningTo(context.sc()))
                    .awaitAllByRdma(() -> assertThat(job.run()).isEqualTo(job.expected()));

            assertThat(TabPages.json(context)).contains("\"notices\":[]");
            assertThat(transferServices(context)).containsOnly("BoltBlockTransfer");
        }
    }

    private static AgentPair agents(Path directory) throws Exception {
        return new AgentPair(Files.createDirectories(directory.resolve("n")), 1, CableKind.SEND);
    }

    private static SparkConf conf(TwoHosts hosts, AgentPair agents, Path directory) throws Exception {
        Path eventLogs = Files.createDirectories(directory.resolve("events"));
        return TabPages.configure(agents.applyTo(hosts.applicationConf("unknown-spark")), eventLogs)
                .set("spark.boltshuffle.blocks", "all");
    }

    private static List<String> transferServices(JavaSparkContext context) {
        return context.parallelize(List.of(1, 2, 3, 4), 4)
                .map(task -> SparkEnv.get()
                        .blockManager()
                        .blockTransferService()
                        .getClass()
                        .getSimpleName())
                .collect();
    }

    private static String saidByExecutors(Path directory) throws Exception {
        StringBuilder said = new StringBuilder();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path log : files.filter(file -> file.endsWith("stderr")).toList()) {
                said.append(Files.readString(log));
            }
        }
        assertThat(said).isNotEmpty();
        return said.toString();
    }
}
