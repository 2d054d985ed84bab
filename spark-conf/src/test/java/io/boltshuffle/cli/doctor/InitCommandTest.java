package io.boltshuffle.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.doctor.probe.Evidence;
import io.boltshuffle.cli.doctor.probe.EvidenceFile;
import io.boltshuffle.conf.Options;
import io.boltshuffle.topology.MlxHostfile;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class InitCommandTest {

    private final Path directory;
    private final Path profile;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    InitCommandTest(@TempDir Path directory) {
        this.directory = directory;
        this.profile = directory.resolve("profile");
    }

    @Test
    void aProfileFitsTheClusterAndHasOnlyKnownKeys() throws IOException {
        assertThat(init(Fixtures.healthy("3-macs-26.4"))).isZero();

        Properties defaults = new Properties();
        defaults.load(new StringReader(Files.readString(profile.resolve("spark-defaults.conf"))));
        assertThat(defaults)
                .containsEntry("spark.shuffle.manager", "io.boltshuffle.spark.BoltShuffleManager")
                .containsEntry("spark.executor.extraClassPath", "/opt/bolt/plugin.jar")
                .containsEntry(Options.AGENT_SLAB.key(), "4g");
        assertThat(defaults.stringPropertyNames().stream().filter(key -> key.startsWith(Options.PREFIX)))
                .allMatch(key ->
                        Options.all().stream().anyMatch(option -> option.key().equals(key)));
        assertThat(profile.resolve("workers")).hasContent("mac1\nmac2\nmac3");
        assertThat(MlxHostfile.parse(Files.readString(profile.resolve("topology.json")), "f")
                        .topology()
                        .cables())
                .hasSize(3);
        assertThat(out.toString())
                .isEqualTo("Wrote " + profile
                        + " for 3 hosts, 3 cables: RDMA on every pair\nUse it: export SPARK_CONF_DIR='" + profile
                        + "' on each host, for the workers and for bolt spark-submit.\n");
    }

    @Test
    void eachHostBindsSparkToItsNetworkAddress() throws Exception {
        init(Fixtures.healthy("2-macs-26.3"));

        Process shell = new ProcessBuilder(
                        "sh",
                        "-c",
                        "hostname() { echo mac2.local; }; . \"$0\"; echo $SPARK_LOCAL_IP",
                        profile.resolve("spark-env.sh").toString())
                .redirectErrorStream(true)
                .start();

        assertThat(new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("192.168.7.12\n");
        assertThat(shell.waitFor()).isZero();
    }

    @Test
    void nothingIsReplacedWithoutForceAndNothingIsWrittenByHalves() throws IOException {
        Files.createDirectories(profile);
        Files.writeString(profile.resolve("workers"), "mine");

        assertThat(init(Fixtures.healthy("2-macs-26.3"))).isEqualTo(2);
        assertThat(profile.toFile().list()).containsExactly("workers");
        assertThat(profile.resolve("workers")).hasContent("mine");

        assertThat(init(Fixtures.healthy("2-macs-26.3"), "--force")).isZero();
        assertThat(profile.resolve("workers")).hasContent("mac1\nmac2");
    }

    @Test
    void aClusterWithAFaultGetsItsProfileAndIsTold() throws IOException {
        assertThat(init(Fixtures.fault("flag-off-on-one-of-two"))).isZero();

        assertThat(out.toString()).contains("Until this is mended").contains("mac2: RDMA flag off");
    }

    private int init(List<Evidence> evidence, String... more) throws IOException {
        Path saved = Files.createTempDirectory(directory, "evidence");
        for (Evidence one : evidence) {
            EvidenceFile.write(one, saved);
        }
        CommandLine line = new CommandLine(new InitCommand())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .setExecutionExceptionHandler(
                        (e, command, parsed) -> e instanceof BoltException known ? known.exitCode() : 99);
        List<String> arguments = new ArrayList<>(List.of(
                "--from", saved.toString(), "--dir", profile.toString(), "--plugin-jar", "/opt/bolt/plugin.jar"));
        arguments.addAll(List.of(more));
        return line.execute(arguments.toArray(String[]::new));
    }
}
