package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.cli.doctor.InitCommand;
import io.boltshuffle.conf.Settings;
import io.boltshuffle.integration.demo.TabPages;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.config.properties.PropertiesConfiguration;
import org.apache.logging.log4j.core.config.properties.PropertiesConfigurationBuilder;
import org.apache.logging.log4j.status.StatusConsoleListener;
import org.apache.logging.log4j.status.StatusData;
import org.apache.logging.log4j.status.StatusLogger;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.internal.config.ConfigEntry;
import org.apache.spark.internal.config.Python$;
import org.apache.spark.internal.config.UI$;
import org.apache.spark.internal.config.package$;
import org.apache.spark.sql.internal.SQLConf$;
import org.apache.spark.util.Utils$;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import scala.Tuple2;

/** The ready-made configuration in spark-conf/profiles. */
@Tag("slow")
class ProfilesTest {
    private static final Path PROFILES = Path.of("..", "spark-conf", "profiles");

    /** Spark registers its keys when these are loaded. */
    private static final List<Object> REGISTRIES =
            List.of(package$.MODULE$, UI$.MODULE$, Python$.MODULE$, SQLConf$.MODULE$);

    /** Known to the submitter, not to the registry. */
    private static final String MASTER = "spark.master";

    private final Path agents;

    ProfilesTest(@TempDir Path agents) {
        this.agents = agents;
    }

    static List<Path> profiles() throws IOException {
        try (Stream<Path> files = Files.list(PROFILES)) {
            return files.filter(file -> file.toString().endsWith(".conf"))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void thereIsOneForEachKindOfCluster() throws IOException {
        assertThat(profiles())
                .extracting(file -> file.getFileName().toString())
                .containsExactly(
                        "linux-roce.conf",
                        "notebook-cluster.conf",
                        "notebook-local-cluster.conf",
                        "standalone-2-macs.conf",
                        "standalone-3-macs.conf",
                        "standalone-4-macs.conf",
                        "submit.conf");
    }

    @ParameterizedTest
    @MethodSource("profiles")
    void everyKeyIsOneThatSparkOrThePluginKnows(Path profile) {
        Map<String, String> settings = read(profile);

        assertThat(REGISTRIES).doesNotContainNull();
        assertThat(Settings.parse(settings).unknownKeys()).isEmpty();
        assertThat(settings.keySet().stream()
                        .filter(key -> !key.startsWith("spark.boltshuffle.") && !key.equals(MASTER)))
                .isNotEmpty()
                .allSatisfy(
                        key -> assertThat(ConfigEntry.findEntry(key)).as(key).isNotNull());
    }

    /** Spark's standalone mode waits for a share of spark.cores.max, and for nothing where that is not set. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4})
    void aStandaloneClusterWaitsForTheCoresOfAllItsMacs(int macs) {
        Map<String, String> settings = read(PROFILES.resolve("standalone-" + macs + "-macs.conf"));

        assertThat(settings)
                .containsEntry("spark.scheduler.minRegisteredResourcesRatio", "1.0")
                .containsEntry("spark.cores.max", Integer.toString(16 * macs));
    }

    @Test
    void aMisspeltKeyWouldBeFound() {
        assertThat(ConfigEntry.findEntry("spark.shuffle.manger")).isNull();
        assertThat(Settings.parse(Map.of("spark.boltshuffle.agent.slap", "1g")).unknownKeys())
                .hasSize(1);
    }

    /**
     * Spark keeps the first ones that a process asks for, and would make a test's again once that test has removed
     * them.
     */
    @AfterEach
    void forgetDirectories() {
        Utils$.MODULE$.clearLocalRootDirs();
    }

    /** Runs in one process, because what a profile says of memory and hosts is for other machines. */
    @ParameterizedTest
    @MethodSource("profiles")
    void sparkStartsWithIt(Path profile) {
        try (JavaSparkContext context = new JavaSparkContext(local(profile))) {
            assertThat(keys(context)).isEqualTo(5);
        }
    }

    @Test
    void sparkStartsWithWhatInitWroteForThisCluster(@TempDir Path directory) {
        Path evidence = Path.of("..", "spark-conf", "src/test/resources/doctor/healthy/3-macs-26.4");
        Path profile = directory.resolve("profile");

        int exitCode = new CommandLine(new InitCommand())
                .execute("--from", evidence.toString(), "--dir", profile.toString(), "--plugin-jar", "/opt/bolt.jar");

        assertThat(exitCode).isZero();
        everyKeyIsOneThatSparkOrThePluginKnows(profile.resolve("spark-defaults.conf"));
        sparkStartsWithIt(profile.resolve("spark-defaults.conf"));
    }

    @Tag("ci")
    @Test
    void theLocalClusterOfTheNotebookRunsAJob(@TempDir Path directory) throws IOException {
        Files.createDirectories(Path.of(System.getenv("SPARK_HOME"), "jars"));
        SparkConf conf = local(PROFILES.resolve("notebook-local-cluster.conf"))
                .setMaster(read(PROFILES.resolve("notebook-local-cluster.conf")).get(MASTER))
                .set("spark.local.dir", directory.toString())
                .set("spark.executor.memory", "600m")
                .set("spark.executor.extraClassPath", System.getProperty("java.class.path"));
        try (JavaSparkContext context = new JavaSparkContext(conf)) {
            assertThat(keys(context)).isEqualTo(5);
        }
    }

    @Test
    void prometheusGetsTheTotalsOfAllExecutors() throws Exception {
        SparkConf conf = local(PROFILES.resolve("submit.conf"))
                .set("spark.ui.enabled", "true")
                .set("spark.ui.port", "0")
                .set(
                        "spark.metrics.conf",
                        PROFILES.resolve("metrics.properties").toString())
                .set("spark.metrics.namespace", "my_job");
        try (JavaSparkContext context = new JavaSparkContext(conf)) {
            assertThat(keys(context)).isEqualTo(5);
            assertThat(TabPages.get(context.sc().uiWebUrl().get() + "/metrics/prometheus/"))
                    .hasValueSatisfying(text -> assertThat(text)
                            .containsPattern(
                                    "metrics_my_job_driver_plugin_\\w+_BoltShufflePlugin_rdmaBytes_Value.* 0"));
        }
    }

    @Test
    void log4jHasNoComplaintAboutItsSample() throws IOException {
        Properties sample = new Properties();
        try (Reader reader = Files.newBufferedReader(PROFILES.resolve("log4j2.properties"))) {
            sample.load(reader);
        }
        assertThat(complaintsAbout(sample)).isEmpty();
    }

    private static List<String> complaintsAbout(Properties properties) {
        List<String> complaints = new ArrayList<>();
        StatusConsoleListener listener = new StatusConsoleListener(Level.WARN) {
            @Override
            public void log(StatusData data) {
                complaints.add(data.getMessage().getFormattedMessage());
            }
        };
        StatusLogger.getLogger().registerListener(listener);
        try {
            PropertiesConfiguration configuration = new PropertiesConfigurationBuilder()
                    .setRootProperties(properties)
                    .build();
            configuration.initialize();
            assertThat(configuration.getLoggers()).containsKey("io.boltshuffle");
        } finally {
            StatusLogger.getLogger().removeListener(listener);
        }
        return complaints;
    }

    private static long keys(JavaSparkContext context) {
        return context.parallelize(IntStream.range(0, 100).boxed().toList(), 2)
                .mapToPair(number -> new Tuple2<>(number % 5, number))
                .reduceByKey(Integer::sum, 2)
                .count();
    }

    private SparkConf local(Path profile) {
        SparkConf conf = new SparkConf(false).setAppName("profile").set("spark.ui.enabled", "false");
        read(profile).forEach(conf::set);
        return conf.setMaster("local[2]")
                .set("spark.boltshuffle.agent.directory", agents.resolve("r").toString())
                .set("spark.driver.host", "127.0.0.1")
                .set("spark.driver.bindAddress", "127.0.0.1");
    }

    /** Reads a properties file as Spark does. */
    private static Map<String, String> read(Path profile) {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(profile)) {
            properties.load(reader);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Map<String, String> settings = new TreeMap<>();
        properties
                .stringPropertyNames()
                .forEach(key -> settings.put(key, properties.getProperty(key).strip()));
        return settings;
    }
}
