package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.boltshuffle.cli.cluster.CableKind;
import io.boltshuffle.integration.demo.TabPages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shuffles of managers that are not the plugin's, in an application that has the plugin. */
@Tag("slow")
class PluginAloneTest {
    private static final String ROUTING = "RoutingBlockStoreClient";
    private static final String NETTY = "NettyBlockTransferService";

    private final AgentPair agents;
    private final Path directory;

    PluginAloneTest(@TempDir Path directory) throws IOException {
        this.directory = directory;
        this.agents = new AgentPair(Files.createDirectories(directory.resolve("n")), 1, CableKind.SEND);
    }

    @Test
    void shufflesOfSparksOwnManagerGoByRdmaAndTheTabSaysWhose() throws Exception {
        run(ShuffleKind.PLUGIN_ALONE, (context, job, reads) -> {
            reads.awaitAllByRdma(() -> assertThat(job.run()).isEqualTo(job.expected()));

            assertThat(inExecutors(context, "shuffleManager")).containsOnly("SortShuffleManager");
            assertThat(inExecutors(context, "blockStoreClient")).containsOnly(ROUTING);
            JsonNode json = json(context);
            assertThat(json.at("/notices/0/name").asText()).isEqualTo("other_manager");
            assertThat(json.at("/notices/0/text").asText())
                    .startsWith("Shuffles of Spark's own manager go by RDMA where it reaches.");
            assertThat(json.path("notices")).hasSize(1);
            assertThat(json.path("rdmaBytes").asLong()).isPositive();
        });
    }

    @Tag("ci")
    @Test
    void whereTheUserWantsOnlyThePluginsOwnManagerTheyGoByTcpAndTheTabSaysWhy() throws Exception {
        agents.with("spark.boltshuffle.shuffles", "own");
        run(ShuffleKind.PLUGIN_ALONE, (context, job, reads) -> {
            reads.awaitAllByTcp(() -> assertThat(job.run()).isEqualTo(job.expected()));

            assertThat(inExecutors(context, "blockStoreClient")).containsOnly(NETTY);
            assertThat(json(context).at("/notices/0/text").asText())
                    .isEqualTo("Shuffles of Spark's own manager go by TCP: spark.boltshuffle.shuffles is own.");
        });
    }

    /** One of the two ways is enough: a block that both carried would be asked for twice when RDMA hands it back. */
    @Tag("ci")
    @Test
    void besideThePluginsManagerTheBlockManagerKeepsSparksClient() throws Exception {
        run(ShuffleKind.OURS, (context, job, reads) -> {
            reads.awaitAllByRdma(() -> assertThat(job.run()).isEqualTo(job.expected()));

            assertThat(inExecutors(context, "blockStoreClient")).containsOnly(NETTY);
            assertThat(json(context).path("notices")).isEmpty();
        });
    }

    private interface Body {
        void with(JavaSparkContext context, CountingJob job, RemoteReads reads) throws Exception;
    }

    private void run(ShuffleKind shuffle, Body body) throws Exception {
        try (AgentPair both = agents.startBoth();
                TwoHosts hosts = TwoHosts.start(directory);
                JavaSparkContext context = new JavaSparkContext(conf(hosts, shuffle))) {
            body.with(
                    context,
                    new CountingJob(context, 6_000, 4),
                    new RemoteReads(both, ShuffleReads.listeningTo(context.sc())));
        }
    }

    private SparkConf conf(TwoHosts hosts, ShuffleKind shuffle) throws IOException {
        Path eventLogs = Files.createDirectories(directory.resolve("events"));
        return TabPages.configure(shuffle.applyTo(agents.applyTo(hosts.applicationConf("plugin-alone"))), eventLogs);
    }

    private static JsonNode json(JavaSparkContext context) throws Exception {
        return new ObjectMapper().readTree(TabPages.json(context));
    }

    /** Returns the simple names of the classes of something that executors have. */
    private static List<String> inExecutors(JavaSparkContext context, String what) {
        return context.parallelize(List.of(1, 2, 3, 4), 4)
                .map(task -> (what.equals("shuffleManager")
                                ? SparkEnv.get().shuffleManager()
                                : SparkEnv.get().blockManager().blockStoreClient())
                        .getClass()
                        .getSimpleName())
                .collect();
    }
}
