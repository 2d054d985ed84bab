package io.boltshuffle.cli.doctor;

import io.boltshuffle.cli.base.ExitCode;
import io.boltshuffle.cli.base.Installation;
import io.boltshuffle.cli.doctor.check.Cluster;
import io.boltshuffle.cli.doctor.check.Diagnosis;
import io.boltshuffle.cli.doctor.check.Severity;
import io.boltshuffle.cli.doctor.fabric.Fabric;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code bolt init} writes a Spark configuration directory for this cluster, from the findings of doctor and topology.
 */
@Command(
        name = "init",
        mixinStandardHelpOptions = true,
        header = "Write a ready Spark configuration for this cluster.",
        description = {
            "",
            "Looks at the hosts as 'bolt doctor' does and writes " + ClusterProfile.DEFAULTS_FILE + ", "
                    + ClusterProfile.ENVIRONMENT_FILE + ", " + ClusterProfile.WORKERS_FILE + " and "
                    + ClusterProfile.TOPOLOGY_FILE
                    + ". Files that are there already are kept, unless --force is given.",
            "",
            "For two Macs:",
            "  bolt init --hosts mac1,mac2 --dir my-cluster",
            ""
        })
public final class InitCommand implements Callable<Integer> {

    @Mixin
    private final HostOptions hostOptions = new HostOptions();

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            defaultValue = "bolt-cluster",
            description = "Where the files go; default: ${DEFAULT-VALUE}.")
    private Path directory = Path.of("bolt-cluster");

    @Option(
            names = "--plugin-jar",
            paramLabel = "FILE",
            description = "Where the plugin's jar is on every host; default: where it is here.")
    private @Nullable Path pluginJar;

    @Mixin
    private final NewFiles newFiles = new NewFiles();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    @Override
    public Integer call() {
        Path jar = pluginJar == null ? Installation.current().pluginJar() : pluginJar;
        Fabric fabric = Fabric.discover(hostOptions.facts());
        Map<String, String> files = ClusterProfile.of(fabric, jar.toString());
        newFiles.writeAll(directory, files);
        tell(fabric);
        return ExitCode.OK;
    }

    private void tell(Fabric fabric) {
        PrintWriter out = spec.commandLine().getOut();
        out.println("Wrote " + directory + " for " + FabricSummary.of(fabric));
        Diagnosis.of(new Cluster(fabric, Optional.empty()))
                .rootCause()
                .filter(finding -> finding.severity() == Severity.FAILURE)
                .ifPresent(finding -> out.println("Until this is mended, jobs use TCP between these hosts: "
                        + finding.where() + ": " + finding.cause().title() + ". " + finding.seen()));
        out.println(
                "Use it: copy " + directory + " to one directory on every host, and set SPARK_CONF_DIR to that where a"
                        + " plain shell reads it (~/.zshenv on a Mac).");
        out.flush();
    }
}
