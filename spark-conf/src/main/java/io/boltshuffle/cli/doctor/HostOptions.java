package io.boltshuffle.cli.doctor;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.doctor.facts.HostFacts;
import io.boltshuffle.cli.doctor.probe.Collector;
import io.boltshuffle.cli.doctor.probe.Evidence;
import io.boltshuffle.cli.doctor.probe.EvidenceFile;
import io.boltshuffle.cli.doctor.probe.Hosts;
import io.boltshuffle.topology.TopologyLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Chooses the hosts to look at, and where their evidence comes from or goes to; the same for every verb of this
 * package.
 */
final class HostOptions {

    @Option(
            names = "--hosts",
            split = ",",
            paramLabel = "HOST",
            description = "Hosts to look at over ssh, in parallel; default: this machine alone.")
    List<String> hosts = List.of();

    @Option(
            names = "--from",
            paramLabel = "DIR",
            description = "Look at the evidence saved in DIR instead of at machines.")
    @Nullable Path from;

    @Option(
            names = "--save",
            paramLabel = "DIR",
            description =
                    "Also write what was collected into DIR, one file for each host, to be sent with a bug report."
                            + " It has host names, addresses and process names in it.")
    @Nullable Path save;

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli sets it before the verb runs
    private CommandSpec verb;

    /** Returns the facts of the chosen hosts. It takes a few seconds for machines; the commands' deadlines bound it. */
    List<HostFacts> facts() {
        try {
            List<Evidence> evidence = collect();
            if (save != null) {
                for (Evidence one : evidence) {
                    EvidenceFile.write(one, save);
                }
                verb.commandLine().getErr().println("Evidence saved in " + save);
            }
            return evidence.stream().map(HostFacts::new).toList();
        } catch (IOException e) {
            throw BoltException.usage(e.getMessage() == null ? e.toString() : e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw BoltException.failed("interrupted while collecting");
        }
    }

    private List<Evidence> collect() throws IOException, InterruptedException {
        if (hosts.size() > TopologyLimits.MAX_HOSTS) {
            throw BoltException.usage("--hosts names " + hosts.size() + ", at most " + TopologyLimits.MAX_HOSTS);
        }
        if (hosts.stream().anyMatch(host -> !host.matches("[A-Za-z0-9][A-Za-z0-9._@:-]*"))) {
            throw BoltException.usage("--hosts takes names or addresses as ssh knows them, separated by commas");
        }
        if (from == null) {
            return Collector.collect(hosts.isEmpty() ? List.of(Hosts.local()) : Hosts.named(hosts));
        }
        if (!hosts.isEmpty()) {
            throw BoltException.usage("--from and --hosts exclude each other");
        }
        if (!Files.isDirectory(from)) {
            throw BoltException.usage("--from " + from + " is no directory");
        }
        return EvidenceFile.readAll(from);
    }
}
