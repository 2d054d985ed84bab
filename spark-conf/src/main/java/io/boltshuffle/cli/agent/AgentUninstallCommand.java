package io.boltshuffle.cli.agent;

import io.boltshuffle.cli.base.ExitCode;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bolt agent uninstall} reverses {@code install}. */
@Command(
        name = "uninstall",
        mixinStandardHelpOptions = true,
        header = "Ends the installed agent and removes it from launchd or systemd.",
        description = {
            "",
            "Jobs go on: executors start an agent of their own, unless told not to.",
            "",
            "Example:",
            "  bolt agent uninstall",
            ""
        })
final class AgentUninstallCommand implements Callable<Integer> {

    @Option(names = "--dry-run", description = "Print what would be done; change nothing.")
    private boolean dryRun;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    @Override
    public Integer call() {
        UserService service = UserService.ofThisUser();
        PrintWriter out = spec.commandLine().getOut();
        if (dryRun) {
            service.stopCommands().forEach(each -> out.println("would run: " + String.join(" ", each)));
            out.println("would remove " + service.file());
        } else {
            service.uninstall();
            out.println("removed " + service.file());
        }
        out.flush();
        return ExitCode.OK;
    }
}
