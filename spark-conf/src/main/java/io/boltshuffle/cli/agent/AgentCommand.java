package io.boltshuffle.cli.agent;

import io.boltshuffle.cli.base.Console;
import io.boltshuffle.cli.base.ForegroundProcess;
import io.boltshuffle.cli.base.Installation;
import io.boltshuffle.cli.option.SparkOption;
import io.boltshuffle.cli.runtime.AgentProgram;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code bolt agent} runs the node agent in the foreground; the verbs below it are about running agents. */
@Command(
        name = "agent",
        mixinStandardHelpOptions = true,
        header = "Runs the node agent of this host, until Ctrl-C or SIGTERM.",
        description = {
            "",
            "The first executor of a host starts its agent; this is for watching one, or for having it ready before "
                    + "the first job. Executors find it if it has their host's name, their user and their --root.",
            "",
            "Example:",
            "  bolt agent --host mac1 --conf spark.boltshuffle.agent.slab=2g",
            ""
        },
        footer = {"", "Exits with 3 where there is no RDMA device."},
        subcommands = {
            AgentStatusCommand.class,
            AgentPauseCommand.class,
            AgentResumeCommand.class,
            AgentInstallCommand.class,
            AgentUninstallCommand.class
        })
public final class AgentCommand implements Callable<Integer> {

    /**
     * This is longer than the agent gives its own links and devices to end. A process that is killed inside verbs can
     * wedge a Mac.
     */
    static final Duration STOP_TIME = Duration.ofSeconds(30);

    @Mixin
    private final AgentOptions options = new AgentOptions();

    @Mixin
    private final SparkOption spark = new SparkOption();

    @Override
    public Integer call() {
        List<String> arguments = options.arguments();
        AgentProgram program = AgentProgram.of(
                spark.find(Console.standardError()), Installation.current().pluginJar());
        return ForegroundProcess.run(program.prepare(List.of(), arguments).inheritIO(), STOP_TIME);
    }
}
