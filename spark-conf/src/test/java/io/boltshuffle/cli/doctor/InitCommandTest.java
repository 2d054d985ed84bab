package io.boltshuffle.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.doctor.probe.Evidence;
import io.boltshuffle.cli.doctor.probe.EvidenceFile;
import io.boltshuffle.cli.doctor.probe.Outcome;
import io.boltshuffle.cli.doctor.probe.ProbeCommand;
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
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
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
        assertThat(init(SavedEvidence.healthy("3-macs-26.4"))).isZero();

        Properties defaults = new Properties();
        defaults.load(new StringReader(Files.readString(profile.resolve("spark-defaults.conf"))));
        assertThat(defaults)
                .containsEntry("spark.shuffle.manager", "io.boltshuffle.spark.BoltShuffleManager")
                .containsEntry("spark.executor.extraClassPath", "/opt/bolt/plugin.jar")
                .containsEntry("spark.master", "spark://192.168.7.11:7077")
                .containsEntry("spark.executor.memory", "32g")
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
                        + " for 3 hosts, 3 cables: RDMA on every pair\nUse it: copy " + profile
                        + " to one directory on every host, and set SPARK_CONF_DIR to that where a plain shell reads it"
                        + " (~/.zshenv on a Mac).\n");
    }

    @Test
    void eachHostBindsSparkToItsNetworkAddress() throws Exception {
        init(SavedEvidence.healthy("2-macs-26.3"));

        assertThat(afterEnvironment("hostname() { echo mac2.local; }", "echo $SPARK_LOCAL_IP, $SPARK_MASTER_HOST"))
                .isEqualTo("192.168.7.12, 192.168.7.11\n");
    }

    /** Spark calls a driver's host by the name of its address, and an executor's by the address itself. */
    @Test
    void aDriverCallsItsHostByTheNameThatItsExecutorsHave() throws Exception {
        init(SavedEvidence.healthy("2-macs-26.3"));
        String shown = "env | grep SPARK_LOCAL_HOSTNAME || echo none";

        assertThat(afterEnvironment("unset SPARK_LOCAL_HOSTNAME; hostname() { echo mac2.local; }", shown))
                .isEqualTo("SPARK_LOCAL_HOSTNAME=192.168.7.12\n");
        assertThat(afterEnvironment("SPARK_LOCAL_HOSTNAME=mine; hostname() { echo mac2.local; }", shown))
                .isEqualTo("SPARK_LOCAL_HOSTNAME=mine\n");
        assertThat(afterEnvironment("unset SPARK_LOCAL_HOSTNAME SPARK_LOCAL_IP; hostname() { echo other; }", shown))
                .isEqualTo("none\n");
    }

    @Test
    void aHostIsKnownByTheNameThatItPrintsAndNotByTheOneOfItsSshAlias() throws Exception {
        List<Evidence> named = new ArrayList<>();
        for (Evidence mac : SavedEvidence.healthy("2-macs-26.3")) {
            Map<ProbeCommand, Outcome> outcomes = new EnumMap<>(mac.outcomes());
            outcomes.put(ProbeCommand.HOSTNAME, Outcome.ran(0, "Johns-" + mac.host() + ".local\n", ""));
            named.add(new Evidence("me@" + mac.host(), outcomes));
        }
        init(named);

        assertThat(afterEnvironment("hostname() { echo Johns-mac2.lan; }", "echo $SPARK_LOCAL_IP"))
                .isEqualTo("192.168.7.12\n");
    }

    @Test
    void aMacsJavaIsFoundWhereItIsAndAGivenOneStays() throws Exception {
        Path java = Files.createDirectories(directory.resolve("jdk/bin")).resolve("java");
        assertThat(Files.createFile(java).toFile().setExecutable(true)).isTrue();
        init(SavedEvidence.healthy("2-macs-26.3"));
        Path environment = profile.resolve("spark-env.sh");
        Files.writeString(
                environment,
                Files.readString(environment)
                        .replace(
                                "/opt/homebrew/opt/openjdk@21/libexec/openjdk.jdk/Contents/Home",
                                directory.resolve("jdk").toString()));

        assertThat(afterEnvironment("unset JAVA_HOME", "env | grep JAVA_HOME"))
                .isEqualTo("JAVA_HOME=" + directory.resolve("jdk") + "\n");
        assertThat(afterEnvironment("JAVA_HOME=/mine", "env | grep JAVA_HOME")).isEqualTo("JAVA_HOME=/mine\n");
    }

    private String afterEnvironment(String before, String after) throws Exception {
        Process shell = new ProcessBuilder(
                        "bash",
                        "-c",
                        before + "; . \"$0\"; " + after,
                        profile.resolve("spark-env.sh").toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(shell.waitFor()).as(said).isZero();
        return said;
    }

    @Test
    void nothingIsReplacedWithoutForceAndNothingIsWrittenByHalves() throws IOException {
        Files.createDirectories(profile);
        Files.writeString(profile.resolve("workers"), "mine");

        assertThat(init(SavedEvidence.healthy("2-macs-26.3"))).isEqualTo(2);
        assertThat(profile.toFile().list()).containsExactly("workers");
        assertThat(profile.resolve("workers")).hasContent("mine");

        assertThat(init(SavedEvidence.healthy("2-macs-26.3"), "--force")).isZero();
        assertThat(profile.resolve("workers")).hasContent("mac1\nmac2");
    }

    @Test
    void aClusterWithAFaultGetsItsProfileAndIsTold() throws IOException {
        assertThat(init(SavedEvidence.fault("flag-off-on-one-of-two"))).isZero();

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
