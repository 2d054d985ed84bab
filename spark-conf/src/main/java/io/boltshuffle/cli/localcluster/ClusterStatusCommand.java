package io.boltshuffle.cli.localcluster;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.ExitCode;
import io.boltshuffle.cli.option.JsonOption;
import io.boltshuffle.cli.runtime.UserCache;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code bolt cluster status}. */
@Command(
        name = "status",
        mixinStandardHelpOptions = true,
        header = "Shows the local cluster and which of its processes live.",
        description = {"", "Example:", "  bolt cluster status", "  bolt cluster status --json", ""},
        footer = {"", "Exits with 1 if no cluster runs, or one of its processes has ended."})
final class ClusterStatusCommand implements Callable<Integer> {
    @Mixin
    private final JsonOption json = new JsonOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    @Override
    public Integer call() {
        LocalCluster cluster = LocalCluster.of(UserCache.of(System.getenv()));
        if (!json.chosen() && cluster.description().isEmpty()) {
            throw BoltException.failed("no cluster runs: start one with bolt cluster start");
        }
        PrintWriter out = spec.commandLine().getOut();
        out.println(json.render(cluster::toJson, cluster::toText));
        out.flush();
        return cluster.isWhole() ? ExitCode.OK : ExitCode.FAILED;
    }
}
