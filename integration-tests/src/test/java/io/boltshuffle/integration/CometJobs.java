package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.cli.cluster.CableKind;
import io.boltshuffle.proof.accelerator.Comet;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.classic.Dataset;
import org.apache.spark.sql.execution.ExplainMode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Queries with DataFusion Comet beside the plugin, with answers of stock Spark's. {@code CometTest} runs them with a
 * class path that has Comet and a Spark that it is for.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CometJobs {
    private static final String PLUGIN = "io.boltshuffle.spark.BoltShufflePlugin";
    private static final String EXPLANATION = "org.apache.comet.ExtendedExplainInfo";

    private static final int ROWS = 20_000;

    private Path tables;
    private AgentPair agents;
    private TwoHosts hosts;
    private Map<SqlKind, List<String>> expected = Map.of();

    @BeforeAll
    void start(@TempDir Path directory) throws IOException {
        tables = directory.resolve("tables");
        agents = new AgentPair(Files.createDirectories(directory.resolve("n")), 1, CableKind.SEND).startBoth();
        hosts = TwoHosts.start(directory);
        SparkConf stock = hosts.applicationConf("stock").set("spark.shuffle.manager", "sort");
        try (SparkSession spark = SparkSession.builder().config(stock).getOrCreate()) {
            SqlKind.write(spark, tables, ROWS);
            SqlKind.prepare(spark, tables);
            expected = answers(spark);
        }
    }

    @AfterAll
    void stop() {
        if (hosts != null) { // where this was skipped, there are none
            hosts.close();
            agents.close();
        }
    }

    /** By itself Comet plans and explains what it does with the plugin. */
    @ParameterizedTest
    @CsvSource({"native, CometExchange", "jvm, CometColumnarExchange"})
    void answersAreSparksPlansAreCometsAndBlocksGoByRdma(String mode, String exchange) throws Exception {
        Map<SqlKind, String> alone;
        try (SparkSession spark = session(comet("comet-alone", mode))) {
            alone = plans(spark);
        }
        try (SparkSession spark = session(withPlugin(comet("comet", mode)))) {
            expectAllByRdma(spark);
            Map<SqlKind, String> together = plans(spark);

            assertThat(together).isEqualTo(alone);
            assertThat(together.values())
                    .filteredOn(plan -> plan.contains(exchange))
                    .hasSizeGreaterThan(10);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"native", "jvm"})
    void encryptedFilesAndBlocksInMemoryGoByRdmaToo(String mode) throws Exception {
        SparkConf conf = withPlugin(comet("comet-encrypted", mode))
                .set("spark.io.encryption.enabled", "true")
                .set("spark.boltshuffle.blocks", "all");
        try (SparkSession spark = session(conf)) {
            expectAllByRdma(spark);
        }
    }

    private void expectAllByRdma(SparkSession spark) {
        new RemoteReads(agents, ShuffleReads.listeningTo(spark.sparkContext()))
                .awaitAllByRdma(() -> assertThat(answers(spark)).isEqualTo(expected));
    }

    private SparkSession session(SparkConf conf) {
        SparkSession spark = SparkSession.builder().config(conf).getOrCreate();
        SqlKind.prepare(spark, tables);
        return spark;
    }

    private SparkConf comet(String name, String mode) {
        return withComet(agents.applyTo(hosts.applicationConf(name)), mode);
    }

    /** Adds Comet, which is on the class path, to an application. */
    static SparkConf withComet(SparkConf conf, String mode) {
        new Comet(jar()).settings("256m").forEach(conf::set);
        return conf.set("spark.executor.extraClassPath", System.getProperty("java.class.path"))
                .set("spark.comet.shuffle.mode", mode)
                .set("spark.sql.extendedExplainProviders", EXPLANATION);
    }

    private static Path jar() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> entry.contains("comet-spark"))
                .map(Path::of)
                .findFirst()
                .orElseThrow();
    }

    static SparkConf withPlugin(SparkConf conf) {
        return conf.set("spark.plugins", conf.get("spark.plugins") + "," + PLUGIN);
    }

    private static Map<SqlKind, List<String>> answers(SparkSession spark) {
        return ofEach(kind -> kind.answer(spark));
    }

    /** Returns what was run, and why Comet left parts of it to Spark, without numbers that count up in a process. */
    private static Map<SqlKind, String> plans(SparkSession spark) {
        return ofEach(kind -> {
            Dataset<Row> query = (Dataset<Row>) kind.query(spark);
            query.collectAsList();
            return query.queryExecution()
                    .explainString(ExplainMode.fromString("extended"))
                    .replaceAll("#\\d+", "#")
                    .replaceAll("plan_id=\\d+", "plan_id=")
                    .replaceAll("\\[id=#?\\d*\\]", "");
        });
    }

    private static <T> Map<SqlKind, T> ofEach(Function<SqlKind, T> value) {
        return Arrays.stream(SqlKind.values()).collect(Collectors.toMap(kind -> kind, value));
    }
}
