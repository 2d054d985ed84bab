package io.boltshuffle.cli.agent;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code bolt agent resume} ends a pause. */
@Command(
        name = "resume",
        mixinStandardHelpOptions = true,
        header = "Uses the cables again after bolt agent pause.",
        description = {"", "Example:", "  bolt agent resume", ""},
        footer = {"", "Exits with 1 if no agent runs, or one does not answer."})
final class AgentResumeCommand implements Callable<Integer> {
    @Mixin
    private final AgentPlaces places = new AgentPlaces();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    @Override
    public Integer call() {
        return AgentPauseCommand.tell(places, spec, 0);
    }
}
