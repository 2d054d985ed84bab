package io.boltshuffle.cli.agent;

import io.boltshuffle.cli.base.Json;
import io.boltshuffle.client.AgentInquiry;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bolt agent status} asks the agents of this machine for their state. */
@Command(
        name = "status",
        mixinStandardHelpOptions = true,
        header = "Shows executors, peers, links, memory and counters of this machine's agents.",
        description = {
            "",
            "Asks the agents of this user; most machines have one. JSON is a list with an object for each agent.",
            "",
            "Example:",
            "  bolt agent status",
            "  bolt agent status --json",
            ""
        },
        footer = {"", "Exits with 1 if no agent runs, or one does not answer."})
final class AgentStatusCommand implements Callable<Integer> {
    @Mixin
    private final AgentPlaces places = new AgentPlaces();

    @Option(names = "--json", description = "Print JSON in place of tables.")
    private boolean json;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    @Override
    public Integer call() {
        AgentPlaces.Answers answers = places.ask(spec.commandLine().getErr(), json, AgentInquiry::status);
        PrintWriter out = spec.commandLine().getOut();
        out.println(json ? Json.write(answers.states()) : AgentTable.of(answers.states()));
        out.flush();
        return answers.exitCode();
    }
}
