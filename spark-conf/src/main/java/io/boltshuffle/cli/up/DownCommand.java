package io.boltshuffle.cli.up;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.ExitCode;
import io.boltshuffle.cli.runtime.UserCache;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bolt down}. */
@Command(
        name = "down",
        mixinStandardHelpOptions = true,
        header = "Ends what bolt up started on this machine.",
        description = {
            "",
            "Ends the processes that were started, and no others; their logs and shuffle files go. Machines that "
                    + "joined keep their keys: after the next bolt up, 'bolt join' without a code brings them back.",
            "",
            "Example:",
            "  bolt down",
            ""
        },
        footer = {"", "Exits with 0 also when no cluster runs."})
public final class DownCommand implements Callable<Integer> {
    static final String NAME = "bolt down";

    @Option(names = "--forget", description = "Forget the machines that joined, too: each needs a new code.")
    private boolean forget;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        SharedPlace place = SharedPlace.of(UserCache.of(System.getenv()));
        try (FileChannel lock = place.cluster().lock()) {
            assert lock.isOpen();
            boolean runs = place.runs();
            if (runs && !place.isFirst()) {
                throw BoltException.failed("this machine has joined another one's cluster: bolt leave ends that");
            }
            try {
                AtLogin.remove(NAME);
            } finally {
                place.makeRoom();
            }
            if (forget) {
                place.forgetIdentity();
            }
            spec.commandLine().getErr().println(runs ? "the cluster has ended" : "no cluster runs");
            return ExitCode.OK;
        }
    }
}
