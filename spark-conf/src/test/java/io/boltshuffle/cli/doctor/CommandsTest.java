package io.boltshuffle.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.doctor.check.Cause;
import io.boltshuffle.cli.doctor.check.Diagnosis;
import io.boltshuffle.cli.doctor.check.Finding;
import io.boltshuffle.cli.doctor.check.Fix;
import io.boltshuffle.cli.doctor.probe.Evidence;
import io.boltshuffle.cli.doctor.probe.EvidenceFile;
import io.boltshuffle.cli.doctor.probe.LocalProbe;
import io.boltshuffle.topology.MlxHostfile;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The verbs as a user runs them, on saved evidence. */
class CommandsTest {

    private final Path directory;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    CommandsTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @Test
    void theExitCodeIsTheWorstFinding() throws IOException {
        assertThat(run(new DoctorCommand(), "--from", saved(SavedEvidence.healthy("2-macs-26.3"))))
                .isZero();
        assertThat(run(new DoctorCommand(), "--from", saved(SavedEvidence.fault("sleep-on"))))
                .isEqualTo(4);
        assertThat(run(new DoctorCommand(), "--from", saved(SavedEvidence.fault("port-down"))))
                .isEqualTo(1);
    }

    @Test
    void jsonHasTheFindingsInOrder() throws IOException {
        run(new DoctorCommand(), "--json", "--from", saved(SavedEvidence.fault("flag-off-on-one-of-two")));

        JsonNode report = new ObjectMapper().readTree(out.toString());
        assertThat(report.path("worst").asText()).isEqualTo("FAILURE");
        assertThat(report.path("findings").get(0).path("cause").asText()).isEqualTo("FLAG_OFF");
        assertThat(report.path("findings").get(0).path("remedy").asText()).contains("rdma_ctl enable");
        assertThat(report.path("hosts")).hasSize(2);
    }

    /** The template for hardware reports asks for these values. */
    @Test
    void jsonSaysWhichBuildAndWhichMachinesItIsOf() throws IOException {
        run(new DoctorCommand(), "--json", "--from", saved(SavedEvidence.healthy("2-macs-27.0")));

        JsonNode report = new ObjectMapper().readTree(out.toString());
        assertThat(report.at("/build/version").asText()).isNotEmpty();
        assertThat(report.at("/build/sha256").isObject()).isTrue();
        assertThat(report.at("/machine/architecture").asText()).isNotEmpty();
        assertThat(report.path("machines")).hasSize(2);
        JsonNode first = report.at("/machines/0");
        assertThat(first.path("system").asText()).matches("macOS 27\\.0 \\(\\w+\\)");
        assertThat(first.path("model").asText()).isNotEmpty();
        assertThat(first.path("chip").asText()).startsWith("Apple M");
        assertThat(first.path("java").asText()).isNotEmpty();
    }

    @Test
    void aTopologyFileThatNoLongerMatchesMeansCrossedCables() throws IOException {
        Path file = directory.resolve("hosts.json");
        run(
                new TopologyCommand(),
                "--from",
                saved(SavedEvidence.healthy("2-macs-27.0")),
                "--hostfile",
                file.toString());
        String crossed = saved(SavedEvidence.fault("crossed-cables"));
        out.getBuffer().setLength(0);

        int exitCode = run(new DoctorCommand(), "--from", crossed, "--topology", file.toString());

        assertThat(exitCode).isEqualTo(1);
        assertThat(out.toString())
                .startsWith(
                        "FAILURE  mac1: crossed cables. the file says mac1/rdma_en2 - mac2/rdma_en4, but mac1/rdma_en2"
                                + " goes to mac2/rdma_en3");
    }

    @Test
    void cablesToHostsThatWereNotAskedAreNotMissed() throws IOException {
        Path file = directory.resolve("hosts.json");
        run(
                new TopologyCommand(),
                "--from",
                saved(SavedEvidence.healthy("3-macs-26.4")),
                "--hostfile",
                file.toString());

        assertThat(run(
                        new DoctorCommand(),
                        "--from",
                        saved(SavedEvidence.healthy("3-macs-26.4").subList(0, 2)),
                        "--topology",
                        file.toString()))
                .isZero();
    }

    @Test
    void whatIsSavedCanBeDiagnosedElsewhere() throws IOException {
        Path copy = directory.resolve("copy");
        run(new DoctorCommand(), "--from", saved(SavedEvidence.fault("no-address")), "--save", copy.toString());
        String first = out.toString();
        out.getBuffer().setLength(0);

        run(new DoctorCommand(), "--from", copy.toString());

        assertThat(out.toString()).isEqualTo(first);
        assertThat(err.toString()).contains("Evidence saved in " + copy);
    }

    @Test
    void topologyWritesBothMlxFormatsAndAPicture() throws IOException {
        Path svg = directory.resolve("out/cluster.svg");
        Path hostfile = directory.resolve("out/hosts.json");
        Path devices = directory.resolve("out/devices.json");

        int exitCode = run(
                new TopologyCommand(),
                "--from",
                saved(SavedEvidence.healthy("3-macs-26.4")),
                "--svg",
                svg.toString(),
                "--hostfile",
                hostfile.toString(),
                "--devices",
                devices.toString());

        assertThat(exitCode).isZero();
        assertThat(out.toString()).startsWith("3 hosts, 3 cables: RDMA on every pair\n");
        assertThat(svg).content().startsWith("<svg");
        assertThat(MlxHostfile.parse(Files.readString(hostfile), "f").topology().cables())
                .hasSize(3);
        out.getBuffer().setLength(0);
        assertThat(run(new TopologyCommand(), "--read", devices.toString())).isZero();
        assertThat(out.toString()).contains("rank0  en2  ===== RDMA =====  en3 rank1");
    }

    @Test
    void aFileIsReplacedOnlyByForce() throws IOException {
        Path svg = Files.writeString(directory.resolve("mine.svg"), "mine");
        String from = saved(SavedEvidence.healthy("2-macs-26.3"));

        assertThat(run(new TopologyCommand(), "--from", from, "--svg", svg.toString()))
                .isEqualTo(2);
        assertThat(svg).hasContent("mine");
        assertThat(err.toString()).contains("is there already").contains("--force");
        assertThat(run(new TopologyCommand(), "--from", from, "--svg", svg.toString(), "--force"))
                .isZero();
        assertThat(svg).content().startsWith("<svg");
    }

    @Test
    void addressesArePrintedNotSet() throws IOException {
        run(new TopologyCommand(), "--addresses", "--from", saved(SavedEvidence.fault("no-address")));

        assertThat(out.toString())
                .contains("Addresses (nothing was set):")
                .contains("mac1 port 3 (en4): 10.81.0.1/30\n  now:      sudo ifconfig en4 inet 10.81.0.1/30 alias\n");
    }

    @Test
    void aBadTopologyFileIsToldWithItsPlace() throws IOException {
        Path file = Files.writeString(directory.resolve("bad.json"), "[[null, \"en5\"], [null, null]]");

        assertThat(run(new TopologyCommand(), "--read", file.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("bad.json: [0][1]: unknown device name \"en5\"");
    }

    @Test
    void optionsThatContradictAreRefused() {
        assertThat(run(new DoctorCommand(), "--fix", "--json")).isEqualTo(2);
        assertThat(run(new DoctorCommand(), "--from", "x", "--hosts", "y")).isEqualTo(2);
        assertThat(run(new TopologyCommand(), "--read", "x", "--hosts", "y")).isEqualTo(2);
        assertThat(run(new DoctorCommand(), "--hosts", "-oProxyCommand=touch x"))
                .isEqualTo(2);
        assertThat(run(new DoctorCommand(), "--hosts", "h,".repeat(64) + "h")).isEqualTo(2);
    }

    @Test
    void aChangeIsMadeOnlyAfterAYes() throws IOException {
        Path made = directory.resolve("made");
        Diagnosis diagnosis = new Diagnosis(List.of(
                fixable(List.of("touch", made.toString())),
                fixable(List.of("touch", made + "-not")),
                fixable(List.of("false"))));
        Fixer fixer = new Fixer(
                Map.of("mac1", new LocalProbe("mac1")),
                new BufferedReader(new StringReader("yes\ny\nyes\n")),
                new PrintWriter(out, true));

        assertThat(fixer.fix(diagnosis)).isEqualTo(1);

        assertThat(made).exists();
        assertThat(directory.resolve("made-not")).doesNotExist();
        assertThat(out.toString()).contains("left as it is").contains("failed").contains("1 of 3 changes made");
    }

    @Test
    void theEndOfInputIsANo() throws IOException {
        Path made = directory.resolve("made");
        Fixer fixer = new Fixer(
                Map.of("mac1", new LocalProbe("mac1")),
                new BufferedReader(new StringReader("")),
                new PrintWriter(out, true));

        assertThat(fixer.fix(new Diagnosis(List.of(fixable(List.of("touch", made.toString()))))))
                .isZero();
        assertThat(made).doesNotExist();
    }

    private static Finding fixable(List<String> command) {
        return Finding.warning(Cause.COLD_NEIGHBOUR, "mac1", new Finding.Problem("seen", "meaning", "remedy"))
                .with(new Fix("mac1", "try it", false, command));
    }

    private String saved(List<Evidence> evidence) throws IOException {
        Path saved = Files.createTempDirectory(directory, "evidence");
        for (Evidence one : evidence) {
            EvidenceFile.write(one, saved);
        }
        return saved.toString();
    }

    private int run(Callable<Integer> command, String... arguments) {
        return new CommandLine(command)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .setExecutionExceptionHandler((e, line, parsed) -> {
                    line.getErr().println(e.getMessage());
                    return e instanceof BoltException known ? known.exitCode() : 99;
                })
                .execute(arguments);
    }
}
