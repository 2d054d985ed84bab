package io.boltshuffle.cli.agent;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.boltshuffle.agent.RunningAgents;
import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.ExitCode;
import io.boltshuffle.wire.HostName;
import io.boltshuffle.wire.MeetingPlace;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Finds the agents of this user, and asks each of them something. Most machines have one. */
final class AgentPlaces {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final ObjectMapper JSON = new ObjectMapper();

    @Option(names = "--host", paramLabel = "HOST", description = "Only the agent of this host.")
    private @Nullable String host;

    @Option(
            names = "--root",
            paramLabel = "DIR",
            description = "What spark.boltshuffle.agent.directory is set to, if it is.")
    private Path root = MeetingPlace.defaultRoot();

    /** A question to an agent, which answers with its state. */
    interface Question {
        String ask(MeetingPlace place, Duration patience) throws IOException;
    }

    /**
     * The answers of agents.
     *
     * @param states as JSON objects
     * @param isAnySilent whether an agent is there that did not answer
     */
    record Answers(List<JsonNode> states, boolean isAnySilent) {
        int exitCode() {
            return isAnySilent || states.isEmpty() ? ExitCode.FAILED : ExitCode.OK;
        }
    }

    /**
     * @param err told which agents do not answer
     * @param mayBeNone whether it is no error that there is no agent
     */
    Answers ask(PrintWriter err, boolean mayBeNone, Question question) {
        List<JsonNode> states = new ArrayList<>();
        boolean silent = false;
        for (MeetingPlace place : existing()) {
            try {
                states.add(JSON.readTree(question.ask(place, PATIENCE)));
            } catch (JsonProcessingException e) {
                throw new IllegalStateException("an agent's status is not JSON", e);
            } catch (IOException e) {
                silent = true;
                err.println("bolt: " + e.getMessage());
            }
        }
        if (states.isEmpty() && !silent && !mayBeNone) {
            throw BoltException.failed(
                    "no agent runs" + (host == null ? "" : " for " + host) + " in " + root + ": " + elsewhere());
        }
        return new Answers(states, silent);
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

    private List<MeetingPlace> existing() {
        try {
            return MeetingPlace.existing(root).stream()
                    .filter(place -> host == null || place.isOf(host))
                    .toList();
        } catch (IOException e) {
            throw BoltException.usage("--root " + root + " cannot be read: " + e);
        }
    }
}
