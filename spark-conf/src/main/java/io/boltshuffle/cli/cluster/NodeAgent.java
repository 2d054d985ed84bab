package io.boltshuffle.cli.cluster;

import io.boltshuffle.cli.base.Teardown;
import io.boltshuffle.cli.runtime.AgentProgram;
import io.boltshuffle.client.AgentEnvironment;
import io.boltshuffle.conf.Options;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The node agent of one host, which a test may kill and start again.
 *
 * <p><b>Threads:</b> one at a time configures and starts it; any may ask.
 *
 * <p><b>Ownership:</b> the teardown ends the process.
 */
public final class NodeAgent {
    private static final String DIRECTORY = Options.AGENT_DIRECTORY.key();
    private static final Pattern READY = Pattern.compile("(agent of \\S+ is ready)");

    private final Recipe recipe;
    private final String title;
    private final RunDirectory run;
    private final Teardown teardown;
    private AgentProgram program;
    private Map<String, String> own = Map.of();
    private volatile @Nullable Daemon daemon;
    private int starts;

    /**
     * The values that an agent of any build is started with.
     *
     * @param network that the host is on
     * @param settings of all agents of the cluster
     * @param environment besides what every agent has
     */
    record Recipe(HostNetwork network, String host, Map<String, String> settings, Map<String, String> environment) {
        Path root() {
            return Path.of(settings.getOrDefault(DIRECTORY, ""));
        }
    }

    NodeAgent(Recipe recipe, AgentProgram program, String title, RunDirectory run, Teardown teardown) {
        this.recipe = recipe;
        this.program = program;
        this.title = title;
        this.run = run;
        this.teardown = teardown;
    }

    /**
     * Returns the agent of this machine, not started yet.
     *
     * @param root where executors meet it
     */
    public static NodeAgent of(
            ThisMachine machine,
            Path root,
            Map<String, String> settings,
            AgentProgram program,
            RunDirectory run,
            Teardown teardown) {
        Map<String, String> all = new HashMap<>(settings);
        all.put(DIRECTORY, root.toString());
        Recipe recipe = new Recipe(machine, machine.address(), all, Map.of());
        return new NodeAgent(recipe, program, "agent-" + machine.address(), run, teardown);
    }

    /** Gives the agent settings besides those of all agents, from its next start on. Only the tests of jobs do so. */
    public void configure(Map<String, String> settings) {
        own = Map.copyOf(settings);
    }

    /** Makes the agent one of another build, from its next start on. Only the tests of jobs do so. */
    public void install(AgentProgram build) {
        program = build;
    }

    /** Returns the command that starts the agent, for the test that compares it with what users run. */
    public List<String> command() {
        return prepare().command();
    }

    private ProcessBuilder prepare() {
        Map<String, String> settings = new HashMap<>(recipe.settings());
        settings.putAll(own);
        List<String> arguments = new ArrayList<>(
                List.of("--host", recipe.host(), "--root", recipe.root().toString()));
        settings.forEach((key, value) -> arguments.addAll(List.of("--conf", key + "=" + value)));
        ProcessBuilder process = program.prepare(
                List.of(
                        "-Djava.io.tmpdir=" + run.directory("tmp"),
                        "-XX:ErrorFile=" + run.directory("logs").resolve("crash-%p.log")),
                arguments);
        AgentEnvironment.keepOnlyNeeded(process.environment());
        process.environment().putAll(recipe.environment());
        return recipe.network().on(recipe.host(), process);
    }

    /** Starts a process with a log of its own, so that messages of different processes cannot be confused. */
    void launch() {
        String one = starts == 0 ? title : title + "-" + starts;
        starts++;
        daemon = Daemon.start("the node agent of " + recipe.host(), prepare(), run, one, teardown);
    }

    void awaitReady() {
        daemon().await(READY);
    }

    /** Starts a process. Returns when it listens. */
    public void start() {
        launch();
        awaitReady();
    }

    /**
     * Waits for the end of the process, which was told to end, and starts another. Returns when the new one listens.
     */
    public void startAgain() {
        awaitEnd();
        start();
    }

    /** Waits for the end of the process, which was told to end. */
    public void awaitEnd() {
        daemon().awaitEnd();
    }

    /** Returns what the process has logged so far, for tests that fail. */
    public String logged() {
        return daemon().logged();
    }

    public String host() {
        return recipe.host();
    }

    public long processId() {
        return daemon().processId();
    }

    public boolean isAlive() {
        return daemon().isAlive();
    }

    Duration cpu() {
        return daemon().cpu();
    }

    private Daemon daemon() {
        Daemon started = daemon;
        if (started == null) {
            throw new IllegalStateException("the agent of " + recipe.host() + " was not started");
        }
        return started;
    }
}
