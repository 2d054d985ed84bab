package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.boltshuffle.cli.cluster.CableKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Where Spark encrypts what hosts say to each other, no block goes by RDMA, which does not, and no executor meets an
 * agent, unless the user lets it.
 */
@Tag("ladder")
class EncryptedWireTest {
    private static final String PASSWORD = "of-this-test";

    @Test
    void withNetworkCryptoNoBlockGoesByRdmaUnlessTheUserLetsIt(@TempDir Path directory) throws Exception {
        expectRdmaOnlyIfAllowed(
                directory,
                Map.of(
                        "spark.authenticate",
                        "true",
                        "spark.authenticate.secret",
                        PASSWORD,
                        "spark.network.crypto.enabled",
                        "true"));
    }

    @Test
    void withTlsNoBlockGoesByRdmaUnlessTheUserLetsIt(@TempDir Path directory) throws Exception {
        String store = keyStore(directory).toString();
        Map<String, String> settings = new HashMap<>(Map.of(
                "spark.ssl.rpc.enabled", "true",
                "spark.ssl.rpc.protocol", "TLSv1.3",
                "spark.ssl.rpc.keyStore", store,
                "spark.ssl.rpc.keyStorePassword", PASSWORD,
                "spark.ssl.rpc.keyPassword", PASSWORD,
                "spark.ssl.rpc.trustStore", store,
                "spark.ssl.rpc.trustStorePassword", PASSWORD));
        expectRdmaOnlyIfAllowed(directory, settings);
    }

    private static void expectRdmaOnlyIfAllowed(Path directory, Map<String, String> settings) throws Exception {
        try (AgentPair agents =
                        new AgentPair(Files.createDirectories(directory.resolve("n")), 1, CableKind.SEND).startBoth();
                TwoHosts hosts = TwoHosts.start(directory, settings)) {
            assertThat(servedBytes(hosts, agents, false)).isZero();
            assertThat(servedBytes(hosts, agents, true)).isPositive();
        }
    }

    /** Runs a job and returns what agents served of it. */
    private static long servedBytes(TwoHosts hosts, AgentPair agents, boolean cleartext) throws Exception {
        SparkConf conf = ShuffleKind.withPlugin(agents.applyTo(hosts.applicationConf("encrypted-wire")))
                .set("spark.boltshuffle.allowCleartext", Boolean.toString(cleartext));
        try (JavaSparkContext context = new JavaSparkContext(conf)) {
            ShuffleReads reads = ShuffleReads.listeningTo(context.sc());
            long before = agents.servedBytes();
            CountingJob job = new CountingJob(context, 6_000, 4);

            assertThat(job.run()).isEqualTo(job.expected());

            long blocks = reads.remoteBlocks();
            assertThat(blocks).isPositive();
            ReportedMetrics metrics = new ReportedMetrics(hosts.metricsDirectory());
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(
                            () -> assertThat(metrics.total(context.sc().applicationId(), "fallbacks.encrypted_wire"))
                                    .isEqualTo(cleartext ? 0 : blocks));
            for (String host : TwoHosts.HOSTS) {
                assertThat(agents.status(host).at("/executors").isEmpty())
                        .as("no session with the agent of %s", host)
                        .isEqualTo(!cleartext);
            }
            return agents.servedBytes() - before;
        }
    }

    /** A key that signs itself, and that the same file trusts. */
    private static Path keyStore(Path directory) throws IOException, InterruptedException {
        Path store = directory.resolve("keys");
        AgentPair.run(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "rpc",
                "-keyalg",
                "RSA",
                "-dname",
                "CN=localhost",
                "-validity",
                "2",
                "-storepass",
                PASSWORD,
                "-keypass",
                PASSWORD,
                "-keystore",
                store.toString()));
        return store;
    }
}
