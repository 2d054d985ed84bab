package io.boltshuffle.cli.doctor;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.ExitCode;
import io.boltshuffle.cli.doctor.fabric.AddressPlan;
import io.boltshuffle.cli.doctor.fabric.CableAdvice;
import io.boltshuffle.cli.doctor.fabric.Diagram;
import io.boltshuffle.cli.doctor.fabric.Fabric;
import io.boltshuffle.cli.doctor.fabric.SvgDrawing;
import io.boltshuffle.cli.doctor.fabric.TextDrawing;
import io.boltshuffle.cli.doctor.fabric.VpnAdvice;
import io.boltshuffle.os.OperatingSystem;
import io.boltshuffle.topology.DeviceMatrix;
import io.boltshuffle.topology.MlxDeviceFile;
import io.boltshuffle.topology.MlxHostfile;
import io.boltshuffle.topology.Topology;
import io.boltshuffle.topology.mac.ThunderboltPeer;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bolt topology} draws and writes down which host is cabled to which. */
@Command(
        name = "topology",
        mixinStandardHelpOptions = true,
        header = "Show which host is cabled to which, and write it down.",
        description = {
            "",
            "Finds the cables by what the Thunderbolt ports tell of each other; device names are not trusted. Changes "
                    + "nothing.",
            "",
            "Draw a cluster; write a hostfile; say which addresses to set; draw an existing hostfile:",
            "  bolt topology --hosts mac1,mac2 --svg cluster.svg",
            "  bolt topology --hosts mac1,mac2 --hostfile hosts.json",
            "  bolt topology --hosts mac1,mac2 --addresses",
            "  bolt topology --read hosts.json",
            ""
        })
public final class TopologyCommand implements Callable<Integer> {

    @Mixin
    private final HostOptions hostOptions = new HostOptions();

    @Option(
            names = "--read",
            paramLabel = "FILE",
            description = "Draw this MLX hostfile or device file instead of looking at machines.")
    private @Nullable Path read;

    @Option(names = "--svg", paramLabel = "FILE", description = "Also draw an SVG, for light and dark pages.")
    private @Nullable Path svg;

    @Option(names = "--hostfile", paramLabel = "FILE", description = "Write an MLX hostfile.")
    private @Nullable Path hostfile;

    @Option(names = "--devices", paramLabel = "FILE", description = "Write an MLX device file (MLX_IBV_DEVICES).")
    private @Nullable Path devices;

    @Option(
            names = "--addresses",
            description = "Print an address for every cabled port and the commands that set it; nothing is set.")
    private boolean addresses;

    @Mixin
    private final NewFiles newFiles = new NewFiles();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    @Override
    public Integer call() {
        if (read != null) {
            if (addresses || hostOptions.from != null || !hostOptions.hosts.isEmpty()) {
                throw BoltException.usage(
                        "--read looks at a file alone: use it without --hosts, --from and --addresses");
            }
            Topology topology = TopologyFiles.read("--read", read);
            show(topology, Diagram.of(topology));
        } else {
            discover();
        }
        return ExitCode.OK;
    }

    private void discover() {
        Fabric fabric = Fabric.discover(hostOptions.facts());
        if (fabric.hosts().stream().noneMatch(host -> host.platform() == OperatingSystem.MACOS)) {
            throw BoltException.failed(
                    "no Mac among these hosts, so no Thunderbolt cables to draw: InfiniBand and RoCE have"
                            + " switches, see 'bolt doctor'; if a host could not be reached, 'bolt doctor' says why");
        }
        PrintWriter out = spec.commandLine().getOut();
        out.println(FabricSummary.of(fabric));
        out.println();
        show(fabric.toTopology(), Diagram.of(fabric));
        fabric.outside()
                .forEach(end -> out.println("\n" + end + " leads to a Mac that was not asked about: "
                        + end.port().peer().map(ThunderboltPeer::name).orElse("unknown")));
        CableAdvice.of(fabric).forEach(sentence -> out.println("\n" + sentence));
        VpnAdvice.of(fabric.hosts()).forEach(sentence -> out.println("\n" + sentence));
        if (addresses) {
            printAddresses(fabric, out);
        }
        out.flush();
    }

    private void show(Topology topology, Diagram diagram) {
        spec.commandLine().getOut().print(TextDrawing.draw(diagram));
        spec.commandLine().getOut().flush();
        if (svg != null) {
            newFiles.write(svg, SvgDrawing.draw(diagram));
        }
        if (hostfile != null) {
            newFiles.write(hostfile, MlxHostfile.of(topology).format());
        }
        if (devices != null) {
            newFiles.write(devices, MlxDeviceFile.format(DeviceMatrix.of(topology)));
        }
    }

    private static void printAddresses(Fabric fabric, PrintWriter out) {
        out.println("\nAddresses (nothing was set):");
        for (AddressPlan.Assignment assignment : AddressPlan.of(fabric)) {
            out.println();
            out.println(
                    assignment.end() + ": " + assignment.address() + (assignment.alreadySet() ? ", already set" : ""));
            if (!assignment.alreadySet()) {
                out.println("  now:      sudo " + String.join(" ", assignment.command()));
                out.println("  for good: " + assignment.lastingCommands());
            }
        }
    }
}
