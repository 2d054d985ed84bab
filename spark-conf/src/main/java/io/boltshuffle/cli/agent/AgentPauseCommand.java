package io.boltshuffle.cli.agent;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.client.AgentInquiry;
import io.boltshuffle.conf.TimeSpan;
import io.boltshuffle.wire.WireLimits;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bolt agent pause} leaves the cables to other programs for a while. */
@Command(
        name = "pause",
        mixinStandardHelpOptions = true,
        header = "Leaves the cables to other programs, such as MLX or exo; blocks go by TCP meanwhile.",
        description = {
            "",
            "The agent ends its links in good order and gives devices, queue pairs and memory regions back. Jobs go "
                    + "on. Pause the agents of all hosts whose cables the other program uses.",
            "",
            "Example:",
            "  bolt agent pause --for 2h",
            "  bolt agent resume",
            ""
        },
        footer = {"", "Exits with 1 if no agent runs, or one does not answer."})
final class AgentPauseCommand implements Callable<Integer> {
    @Mixin
    private final AgentPlaces places = new AgentPlaces();

    @Option(
            names = "--for",
            paramLabel = "TIME",
            description = "How long, such as 90s, 30min or 2h, at most 719h (default: until bolt agent resume).")
    private @Nullable String time;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    @Override
    public Integer call() {
        return tell(places, spec, seconds());
    }

    /** Tells all agents, and prints a line for each. */
    static int tell(AgentPlaces places, CommandSpec spec, long seconds) {
        PrintWriter out = spec.commandLine().getOut();
        AgentPlaces.Answers answers = places.ask(
                spec.commandLine().getErr(), false, (place, patience) -> AgentInquiry.pause(place, patience, seconds));
        answers.states().forEach(agent -> {
            String until = agent.at("/pausedUntil").asText();
            out.println("agent of " + agent.at("/host").asText() + ": "
                    + (until.isEmpty() ? "uses RDMA again" : "paused until " + until));
        });
        out.flush();
        return answers.exitCode();
    }

    private long seconds() {
        if (time == null) {
            return WireLimits.MAX_PAUSE_SECONDS;
        }
        try {
            long seconds = TimeSpan.parse(time).toSeconds();
            if (seconds >= 1 && seconds < WireLimits.MAX_PAUSE_SECONDS) {
                return seconds;
            }
        } catch (IllegalArgumentException e) {
            throw BoltException.usage("--for " + time + ": " + e.getMessage());
        }
        throw BoltException.usage("--for is " + time + "; it has to be 1s to 719h");
    }
}
