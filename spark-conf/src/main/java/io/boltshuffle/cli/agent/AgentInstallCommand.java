package io.boltshuffle.cli.agent;

import io.boltshuffle.cli.base.Console;
import io.boltshuffle.cli.base.ExitCode;
import io.boltshuffle.cli.base.Installation;
import io.boltshuffle.cli.option.SparkOption;
import io.boltshuffle.cli.runtime.AgentProgram;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bolt agent install} makes launchd or systemd keep the agent running. */
@Command(
        name = "install",
        mixinStandardHelpOptions = true,
        header = "Has launchd (macOS) or systemd (Linux) keep this host's agent running.",
        description = {
            "",
            "Writes a LaunchAgent or a user unit for this user, and starts it. It holds the paths of this installation "
                    + "and of the Spark it uses: uninstall and install again when those move or get other versions.",
            "",
            "Example, to see what it would do, and to do it:",
            "  bolt agent install --host mac1 --dry-run",
            "  bolt agent install --host mac1",
            ""
        })
final class AgentInstallCommand implements Callable<Integer> {

    @Mixin
    private final AgentOptions options = new AgentOptions();

    @Mixin
    private final SparkOption spark = new SparkOption();

    @Option(
            names = "--dry-run",
            description = "Print the file and the commands; change nothing. A Spark is fetched where there is none,"
                    + " because the file names it.")
    private boolean dryRun;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    @Override
    public Integer call() {
        List<String> arguments = options.arguments();
        List<String> command = AgentProgram.of(
                        spark.find(Console.standardError()),
                        Installation.current().pluginJar())
                .prepare(List.of(), arguments)
                .command();
        UserService service = UserService.ofThisUser();
        PrintWriter out = spec.commandLine().getOut();
        if (dryRun) {
            out.println("would write " + service.file() + ":");
            out.println();
            out.println(service.unit(command));
            service.startCommands().forEach(each -> out.println("would run: " + String.join(" ", each)));
        } else {
            service.install(command);
            out.println("the agent of " + options.host() + " is kept running by " + service.file());
        }
        out.flush();
        return ExitCode.OK;
    }
}
