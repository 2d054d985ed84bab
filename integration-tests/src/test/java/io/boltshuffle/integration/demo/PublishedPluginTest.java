package io.boltshuffle.integration.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The plugin as a repository has it: Spark's own {@code --packages} fetches it from the one that the build made. */
@Tag("ci")
class PublishedPluginTest {
    private static final String ARTIFACT = "boltshuffle-spark_2.13";
    /**
     * Their work outlasts the delay after which an executor reports. What comes after its last report is not logged.
     */
    private static final String MANY_TASKS = "48";

    private static final Path REPOSITORY =
            Path.of("../shuffle-manager/target/repository").toAbsolutePath().normalize();

    private final Path directory;
    private final UnpackedBolt bolt;

    PublishedPluginTest(@TempDir Path directory) throws IOException {
        this.directory = directory;
        this.bolt = UnpackedBolt.in(directory.resolve("bolt"));
    }

    @Test
    void thePublishedPomNamesNoParentAndNoDependency() throws IOException {
        String pom = Files.readString(published(".pom"));

        assertThat(pom)
                .doesNotContain("<parent>", "<dependency>", "${", "SNAPSHOT")
                .contains("<name>", "<description>", "<url>", "<licenses>", "<developers>", "<scm");
    }

    @Test
    void sparkFetchesItAloneAndShufflesByIt() throws Exception {
        Path home = bolt.gatheredSpark(Files.createDirectories(directory.resolve("gather")));
        Path ivy = directory.resolve("ivy");
        Path events = Files.createDirectories(directory.resolve("events"));

        submit(
                home,
                ivy,
                events,
                "TeraGen",
                "200000",
                "2",
                directory.resolve("rows").toString());
        String log = submit(
                home,
                ivy,
                events,
                "TeraSort",
                directory.resolve("rows").toString(),
                directory.resolve("sorted").toString(),
                MANY_TASKS);

        assertThat(log).contains("found io.boltshuffle#" + ARTIFACT + ";" + version());
        assertThat(filesIn(ivy.resolve("jars")))
                .containsExactly("io.boltshuffle_" + ARTIFACT + "-" + version() + ".jar");
        assertThat(filesIn(directory.resolve("sorted"))).contains("_SUCCESS");
        String reports = readAll(events);
        assertThat(reports).contains("ShuffleReported", "\"no_agent\"");
    }

    /** Two executors, whose blocks for each other go through the plugin; no agent is started, so by TCP. */
    private String submit(Path home, Path ivy, Path events, String program, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin/java").toString(), "-cp", home.resolve("jars") + "/*"));
        command.addAll(SPARK_JVM);
        command.addAll(List.of(
                "org.apache.spark.deploy.SparkSubmit",
                "--master",
                "local-cluster[2,1,1024]",
                "--packages",
                "io.boltshuffle:" + ARTIFACT + ":" + version(),
                "--repositories",
                REPOSITORY.toUri().toString()));
        for (String setting : List.of(
                "spark.jars.ivy=" + ivy,
                "spark.shuffle.manager=io.boltshuffle.spark.BoltShuffleManager",
                "spark.plugins=io.boltshuffle.spark.BoltShufflePlugin",
                "spark.boltshuffle.agent.autoStart=false",
                "spark.boltshuffle.agent.directory=" + directory.resolve("agents"),
                "spark.shuffle.readHostLocalDisk=false",
                "spark.executor.memory=1g",
                "spark.local.dir=" + directory.resolve("local"),
                "spark.ui.enabled=false",
                "spark.eventLog.enabled=true",
                "spark.eventLog.compress=false",
                "spark.eventLog.dir=" + events.toUri())) {
            command.addAll(List.of("--conf", setting));
        }
        command.addAll(List.of(
                "--class",
                "io.boltshuffle.examples." + program,
                bolt.jar("boltshuffle-cli-").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder spark = UnpackedBolt.command(bolt.launcher()).command(command);
        spark.environment().put("SPARK_HOME", home.toString());
        spark.environment().put("SPARK_SCALA_VERSION", "2.13");
        spark.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
        spark.directory(directory.toFile());
        try (RunningBolt running =
                RunningBolt.start(spark, Files.createDirectories(directory.resolve("logs-" + program)), directory)) {
            assertThat(running.exitCode()).as(running.err()).isZero();
            return running.out() + running.err();
        }
    }

    private static final List<String> SPARK_JVM = List.of(
            "-Xmx512m",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "--add-opens=java.base/java.util=ALL-UNNAMED",
            "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
            "--add-opens=java.base/java.lang.invoke=ALL-UNNAMED",
            "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED");

    private static String version() throws IOException {
        return published(".pom").getFileName().toString().replaceAll("^" + ARTIFACT + "-|\\.pom$", "");
    }

    private static Path published(String ending) throws IOException {
        Path versions = REPOSITORY.resolve("io/boltshuffle/" + ARTIFACT);
        if (!Files.isDirectory(versions)) {
            throw new IllegalStateException("'mvn verify -Pci' makes the repository " + REPOSITORY);
        }
        try (Stream<Path> files = Files.walk(versions)) {
            return files.filter(file -> file.toString().endsWith(ending))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static List<String> filesIn(Path place) throws IOException {
        try (Stream<Path> files = Files.list(place)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private static String readAll(Path place) throws IOException {
        StringBuilder text = new StringBuilder();
        try (Stream<Path> files = Files.walk(place)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                text.append(Files.readString(file));
            }
        }
        return text.toString();
    }
}
