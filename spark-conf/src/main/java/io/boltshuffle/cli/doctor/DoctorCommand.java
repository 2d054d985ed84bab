package io.boltshuffle.cli.doctor;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.ExitCode;
import io.boltshuffle.cli.doctor.check.Cluster;
import io.boltshuffle.cli.doctor.check.Diagnosis;
import io.boltshuffle.cli.doctor.check.Severity;
import io.boltshuffle.cli.doctor.fabric.Fabric;
import io.boltshuffle.cli.doctor.facts.HostFacts;
import io.boltshuffle.cli.doctor.probe.Hosts;
import io.boltshuffle.cli.doctor.probe.Probe;
import io.boltshuffle.topology.Topology;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bolt doctor} says in its first line what keeps RDMA from working, or that nothing does. */
@Command(
        name = "doctor",
        mixinStandardHelpOptions = true,
        header = "Find out why RDMA does not work, or that it does.",
        description = {
            "",
            "Reads from macOS or Linux and changes nothing. The first line names the root cause; each finding says "
                    + "what was seen, what it means and what to do.",
            "",
            "This machine; a cluster, over ssh; for a bug report:",
            "  bolt doctor",
            "  bolt doctor --hosts mac1,mac2",
            "  bolt doctor --hosts mac1,mac2 --save evidence",
            ""
        },
        footerHeading = "%nExit codes:%n",
        footer = {
            "  0  all is well",
            "  1  at least one failure",
            "  2  the command line is wrong, or names what is not there",
            "  4  warnings only"
        })
public final class DoctorCommand implements Callable<Integer> {

    @Mixin
    private final HostOptions hostOptions = new HostOptions();

    @Option(
            names = "--topology",
            paramLabel = "FILE",
            description = "Compare the cables with this MLX hostfile, as 'bolt topology --hostfile' writes it.")
    private @Nullable Path topologyFile;

    @Option(names = "--json", description = "Print the findings as JSON.")
    private boolean json;

    @Option(
            names = "--fix",
            description =
                    "Offer the safe changes (addresses, a ping); each is made only after you type yes. Those that need"
                            + " root use 'sudo -n'.")
    private boolean fix;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    @Override
    public Integer call() {
        if (fix && (json || hostOptions.from != null)) {
            throw BoltException.usage("--fix needs machines and a person: use it without --json and --from");
        }
        List<HostFacts> facts = hostOptions.facts();
        Optional<Topology> expected =
                Optional.ofNullable(topologyFile).map(file -> TopologyFiles.read("--topology", file));
        Cluster cluster = new Cluster(Fabric.discover(facts), expected);
        Diagnosis diagnosis = Diagnosis.of(cluster);
        PrintWriter out = spec.commandLine().getOut();
        out.print(json ? DoctorReport.json(cluster, diagnosis) : DoctorReport.text(cluster, diagnosis));
        out.flush();
        if (fix) {
            offerFixes(facts, diagnosis, out);
        }
        return exitCode(diagnosis.worst());
    }

    private void offerFixes(List<HostFacts> facts, Diagnosis diagnosis, PrintWriter out) {
        List<Probe> probes = hostOptions.hosts.isEmpty()
                ? List.of(Hosts.local())
                : Hosts.named(facts.stream().map(HostFacts::host).toList());
        BufferedReader answers = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try {
            new Fixer(probes.stream().collect(Collectors.toMap(Probe::host, Function.identity())), answers, out)
                    .fix(diagnosis);
        } catch (IOException e) {
            throw BoltException.failed("no answer could be read: " + e.getMessage());
        }
        out.flush();
    }

    private static int exitCode(Severity worst) {
        return switch (worst) {
            case OK -> ExitCode.OK;
            case WARNING -> ExitCode.WARNINGS;
            case FAILURE -> ExitCode.FAILED;
        };
    }
}
