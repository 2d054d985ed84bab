package io.boltshuffle.cli.localcluster;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.ExitCode;
import io.boltshuffle.cli.cluster.VirtualCables;
import io.boltshuffle.cli.runtime.UserCache;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code bolt cluster}, which only names the verbs below it. */
@Command(
        name = "cluster",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        header = "Starts, shows and stops a Spark cluster of virtual hosts on this machine, for your own jobs.",
        description = {
            "",
            "A master on 127.0.0.1, a worker and a node agent on each of 127.0.0.2, 127.0.0.3, ..., and virtual cables "
                    + "between them. It stays until it is stopped. There is one for each user.",
            "",
            "Example:",
            "  bolt cluster start --hosts 2",
            "  bolt cluster status",
            "  bolt cluster pull        # its virtual cables: jobs go on by TCP",
            "  bolt cluster plug",
            "  bolt cluster stop",
            ""
        },
        subcommands = {ClusterStartCommand.class, ClusterStatusCommand.class, ClusterStopCommand.class})
public final class ClusterVerb {
    private static final String CABLES = "Names of cables, such as c0-1; default: all.";

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before a command runs
    private CommandSpec spec;

    @Command(
            name = "pull",
            mixinStandardHelpOptions = true,
            header = "Pulls virtual cables of the local cluster while jobs run, which go on by TCP.",
            description = {"", "Example:", "  bolt cluster pull", ""})
    int pull(@Parameters(paramLabel = "CABLE", description = CABLES) List<String> names) {
        return tell(names, "pulled; jobs go on by TCP, until 'bolt cluster plug'", "pull", "silent");
    }

    @Command(
            name = "plug",
            mixinStandardHelpOptions = true,
            header = "Plugs virtual cables of the local cluster in again, so that jobs go by RDMA.",
            description = {"", "Example:", "  bolt cluster plug", ""})
    int plug(@Parameters(paramLabel = "CABLE", description = CABLES) List<String> names) {
        return tell(names, "plugged in; RDMA is back within seconds", "plug");
    }

    private int tell(@Nullable List<String> names, String told, String... words) {
        VirtualCables cables = LocalCluster.of(UserCache.of(System.getenv())).cables();
        List<String> chosen = names == null || names.isEmpty() ? cables.names() : names;
        if (!cables.names().containsAll(chosen)) {
            throw BoltException.usage("the cluster has these cables: " + String.join(", ", cables.names()));
        }
        chosen.forEach(cable -> cables.one(cable, words));
        spec.commandLine().getErr().println(String.join(", ", chosen) + ": " + told);
        return ExitCode.OK;
    }
}
