package io.boltshuffle.cli.agent;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.boltshuffle.agent.RunningAgents;
import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.ExitCode;
import io.boltshuffle.cli.base.Json;
import io.boltshuffle.client.AgentInquiry;
import io.boltshuffle.wire.HostName;
import io.boltshuffle.wire.MeetingPlace;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
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
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final ObjectMapper JSON = new ObjectMapper();

    @Option(names = "--host", paramLabel = "HOST", description = "Only the agent of this host.")
    private @Nullable String host;

    @Option(
            names = "--root",
            paramLabel = "DIR",
            description = "What spark.boltshuffle.agent.directory is set to, if it is.")
    private Path root = MeetingPlace.defaultRoot();

    @Option(names = "--json", description = "Print JSON in place of tables.")
    private boolean json;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        List<JsonNode> answers = new ArrayList<>();
        boolean silent = false;
        for (MeetingPlace place : places()) {
            try {
                answers.add(JSON.readTree(AgentInquiry.status(place, PATIENCE)));
            } catch (JsonProcessingException e) {
                throw new IllegalStateException("an agent's status is not JSON", e);
            } catch (IOException e) {
                silent = true;
                err.println("bolt: " + e.getMessage());
            }
        }
        if (answers.isEmpty() && !silent && !json) {
            throw BoltException.failed(
                    "no agent runs" + (host == null ? "" : " for " + host) + " in " + root + ": " + elsewhere());
        }
        out.println(json ? Json.write(answers) : AgentTable.of(answers));
        out.flush();
        return silent || answers.isEmpty() ? ExitCode.FAILED : ExitCode.OK;
    }

    /** Says where agents of this user are that were started with another directory, or how one starts. */
    private String elsewhere() {
        String others = RunningAgents.others().stream()
                .map(RunningAgents.RunningAgent::start)
                .filter(agent -> host == null || agent.host().equals(HostName.plain(host)))
                .map(agent -> "the agent of " + agent.host() + " runs in " + agent.root() + ", which --root takes")
                .collect(Collectors.joining("; "));
        return others.isEmpty() ? "the first executor of a host starts it, or bolt agent does" : others;
    }

    private List<MeetingPlace> places() {
        try {
            return MeetingPlace.existing(root).stream()
                    .filter(place -> host == null || place.isOf(host))
                    .toList();
        } catch (IOException e) {
            throw BoltException.usage("--root " + root + " cannot be read: " + e);
        }
    }
}
