package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.boltshuffle.examples.LastReport;
import io.boltshuffle.examples.TeraGen;
import io.boltshuffle.examples.TeraSort;
import io.boltshuffle.examples.TeraValidate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real jobs on two hosts over a kernel's own verbs, in the lab's guest: right results, and every remote byte by RDMA. */
@Tag("soft-roce")
@Timeout(1500)
class SoftRoceJobsTest {

    private static final int ROWS = 20_000;
    private static final int KEYS = 50;
    private static final int WEIGHTS = 7;

    @AfterEach
    void forgetSettings() {
        System.getProperties().keySet().removeIf(key -> key.toString().startsWith("spark."));
    }

    @ParameterizedTest
    @ValueSource(strings = {"read", "send"})
    void everyRemoteByteOfASortAndAQueryGoesByRdma(String mode, @TempDir Path directory) throws Exception {
        try (NodeAgents agents = NodeAgents.onSoftRoce(Files.createDirectories(directory.resolve("n")))
                        .with("spark.boltshuffle.agent.linkMode", mode)
                        .startBoth();
                TwoHosts hosts = TwoHosts.start(directory, NodeAgents.LAB_HOSTS)) {
            sort(directory, hosts, agents);
            assertEveryRemoteByteWentByRdma(hosts, "TeraSort by " + mode);
            query(hosts, agents);
            assertEveryRemoteByteWentByRdma(hosts, "query by " + mode);
        }
    }

    private static SparkConf conf(String name, TwoHosts hosts, NodeAgents agents) {
        return agents.applyTo(hosts.applicationConf(name))
                .set("spark.plugins", LastReport.class.getName())
                .set("spark.extraListeners", DriverTally.class.getName());
    }

    /** Input and check need no cluster; the sort does. */
    private static void sort(Path directory, TwoHosts hosts, NodeAgents agents) throws IOException {
        String input = directory.resolve("unsorted").toString();
        String output = directory.resolve("sorted").toString();
        System.setProperty("spark.master", "local[2]");
        System.setProperty("spark.ui.enabled", "false");
        TeraGen.main(new String[] {Integer.toString(ROWS), "4", input});
        for (var setting : conf("terasort", hosts, agents).getAll()) {
            System.setProperty(setting._1(), setting._2());
        }
        TeraSort.main(new String[] {input, output, "4"});
        System.getProperties().keySet().removeIf(key -> key.toString().startsWith("spark."));
        System.setProperty("spark.master", "local[2]");
        System.setProperty("spark.ui.enabled", "false");
        TeraValidate.main(new String[] {input, output});
        System.getProperties().keySet().removeIf(key -> key.toString().startsWith("spark."));
    }

    private static void query(TwoHosts hosts, NodeAgents agents) throws IOException {
        try (SparkSession spark = SparkSession.builder()
                .config(conf("query", hosts, agents))
                .config("spark.sql.autoBroadcastJoinThreshold", -1)
                .config("spark.sql.shuffle.partitions", 4)
                .config("spark.sql.codegen.wholeStage", false)
                .getOrCreate()) {
            spark.range(ROWS)
                    .selectExpr("id", "id % " + KEYS + " AS k", "id * 3 AS v")
                    .createOrReplaceTempView("facts");
            spark.range(ROWS).selectExpr("id", "id % " + WEIGHTS + " AS w").createOrReplaceTempView("weights");
            Map<Long, Long> sums = spark
                    .sql("SELECT k, sum(v * w) AS total FROM facts JOIN weights USING (id) GROUP BY k")
                    .collectAsList()
                    .stream()
                    .collect(Collectors.toMap(row -> row.getLong(0), row -> row.getLong(1)));

            assertThat(sums).isEqualTo(expected());
        }
    }

    private static Map<Long, Long> expected() {
        Map<Long, Long> sums = new TreeMap<>();
        for (long id = 0; id < ROWS; id++) {
            sums.merge(id % KEYS, id * 3 * (id % WEIGHTS), Long::sum);
        }
        return sums;
    }

    private static void assertEveryRemoteByteWentByRdma(TwoHosts hosts, String job) {
        ReportedMetrics metrics = new ReportedMetrics(hosts.metricsDirectory());
        String application = DriverTally.applicationId();
        assertThat(DriverTally.remoteBytes()).as(job).isPositive();
        await(job)
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() ->
                        assertThat(metrics.total(application, "bytes.rdma")).isEqualTo(DriverTally.remoteBytes()));
        assertThat(metrics.total(application, "bytes.netty")).as(job).isZero();
        System.out.printf("%s: %d remote bytes, all by RDMA%n", job, DriverTally.remoteBytes());
    }
}
