package io.boltshuffle.cli.up;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.BuildFacts;
import io.boltshuffle.cli.base.Console;
import io.boltshuffle.cli.base.ExitCode;
import io.boltshuffle.cli.joining.JoinClient;
import io.boltshuffle.cli.joining.Membership;
import io.boltshuffle.cli.runtime.UserCache;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bolt leave}. */
@Command(
        name = "leave",
        mixinStandardHelpOptions = true,
        header = "Ends this machine's part in the cluster that it joined.",
        description = {
            "",
            "Ends its worker and agent; jobs go on with the other machines. It keeps its key: 'bolt join' without a "
                    + "code brings it back.",
            "",
            "Example:",
            "  bolt leave",
            ""
        },
        footer = {"", "Exits with 1 if this machine has not joined a cluster."})
public final class LeaveCommand implements Callable<Integer> {
    static final String NAME = "bolt leave";

    @Option(names = "--forget", description = "Have the key forgotten on both machines: coming back needs a new code.")
    private boolean forget;

    @Override
    public Integer call() throws IOException {
        Console console = Console.standardError();
        SharedPlace place = SharedPlace.of(UserCache.of(System.getenv()));
        try (FileChannel lock = place.cluster().lock()) {
            assert lock.isOpen();
            if (place.runs() && place.isFirst()) {
                throw BoltException.failed("this machine is the first of its cluster: bolt down ends it");
            }
            Membership joined =
                    place.membership().orElseThrow(() -> BoltException.failed("this machine has not joined a cluster"));
            try {
                AtLogin.remove(NAME);
            } finally {
                place.makeRoom();
                tell(joined, console);
            }
            if (forget) {
                place.forgetMembership();
            }
            console.line("this machine has left the cluster of " + joined.host()
                    + (forget ? "" : "; bolt join brings it back"));
            return ExitCode.OK;
        }
    }

    /** The first machine may have ended, or be out of reach: this one has left in any case. */
    private void tell(Membership joined, Console console) {
        try (JoinClient first = JoinClient.call(
                joined.host(), joined.port(), BuildFacts.current().version(), OwnAddress.name())) {
            first.leave(joined, forget);
        } catch (BoltException e) {
            console.line("bolt: the first machine was not told: " + e.getMessage());
        }
    }
}
