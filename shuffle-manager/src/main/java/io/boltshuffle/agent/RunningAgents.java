package io.boltshuffle.agent;

import io.boltshuffle.conf.Options;
import io.boltshuffle.wire.MeetingPlace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The agents of this user that run on this machine, as the system lists their command lines. It finds those that
 * executors do not meet, because they were started with another directory, or by another release.
 */
public final class RunningAgents {

    /**
     * An agent that runs.
     *
     * @param start what it was started with
     */
    public record RunningAgent(long processId, AgentStart start) {}

    private RunningAgents() {}

    /** Returns the agents of this user but this process. Processes that cannot be looked at are passed over. */
    public static List<RunningAgent> others() {
        long own = ProcessHandle.current().pid();
        return ProcessHandle.allProcesses()
                .filter(process -> process.pid() != own)
                .flatMap(process -> start(process).map(start -> new RunningAgent(process.pid(), start)).stream())
                .filter(agent -> MeetingPlace.isOwn(agent.start().root()))
                .toList();
    }

    /**
     * Returns what to do about a port that another program has.
     *
     * @param running agents of this user
     */
    static String remedy(AgentStart start, List<RunningAgent> running) {
        int port = start.settings().get(Options.AGENT_PORT);
        return running.stream()
                .filter(other -> other.start().host().equals(start.host()))
                .filter(other -> other.start().settings().get(Options.AGENT_PORT) == port)
                .findFirst()
                .map(other -> "another agent of this user has the port, process " + other.processId()
                        + ", and executors meet it in " + other.start().root() + ": set "
                        + Options.AGENT_DIRECTORY.key() + "=" + other.start().root() + ", or end that process")
                .orElse("another program has the port: end it, or choose another " + Options.AGENT_PORT.key()
                        + " on all hosts");
    }

    private static Optional<AgentStart> start(ProcessHandle process) {
        List<String> words = words(process);
        int main = words.indexOf(AgentMain.class.getName());
        if (main < 0) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    AgentMain.parse(words.subList(main + 1, words.size()).toArray(String[]::new)));
        } catch (IllegalArgumentException e) {
            return Optional.empty(); // of a release that took other arguments
        }
    }

    /** Linux tells the JVM no more than a page of a command line, which a class path fills. */
    private static List<String> words(ProcessHandle process) {
        try {
            return List.of(Files.readString(Path.of("/proc", Long.toString(process.pid()), "cmdline"))
                    .split("\0"));
        } catch (IOException e) {
            return process.info().arguments().map(Arrays::asList).orElse(List.of());
        }
    }
}
