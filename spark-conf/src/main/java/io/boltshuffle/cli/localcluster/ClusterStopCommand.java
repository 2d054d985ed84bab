package io.boltshuffle.cli.localcluster;

import io.boltshuffle.cli.base.ExitCode;
import io.boltshuffle.cli.runtime.UserCache;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code bolt cluster stop}. */
@Command(
        name = "stop",
        mixinStandardHelpOptions = true,
        header = "Ends the local cluster and removes all that it wrote.",
        description = {
            "",
            "Ends the processes that the cluster started, and no others; then its directory goes, with logs and "
                    + "shuffle files.",
            "",
            "Example:",
            "  bolt cluster stop",
            ""
        },
        footer = {"", "Exits with 0 also when no cluster runs."})
final class ClusterStopCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        LocalCluster cluster = LocalCluster.of(UserCache.of(System.getenv()));
        try (FileChannel lock = cluster.lock()) {
            assert lock.isOpen();
            boolean existed = cluster.exists();
            if (existed) {
                cluster.clear();
            }
            spec.commandLine().getErr().println(existed ? "the cluster has ended" : "no cluster runs");
            return ExitCode.OK;
        }
    }
}
