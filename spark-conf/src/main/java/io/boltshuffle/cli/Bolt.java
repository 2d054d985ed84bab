package io.boltshuffle.cli;

import io.boltshuffle.cli.agent.AgentCommand;
import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.ExitCode;
import io.boltshuffle.cli.base.Installation;
import io.boltshuffle.cli.base.Teardown;
import io.boltshuffle.cli.conformance.ConformanceCommand;
import io.boltshuffle.cli.doctor.DoctorCommand;
import io.boltshuffle.cli.doctor.InitCommand;
import io.boltshuffle.cli.doctor.TopologyCommand;
import io.boltshuffle.cli.localcluster.ClusterVerb;
import io.boltshuffle.cli.queries.QueriesCommand;
import io.boltshuffle.cli.soak.SoakCommand;
import io.boltshuffle.cli.verify.VerifyCommand;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;

/** The root command: it only names the verbs. A new verb is one class, listed in {@code subcommands}. */
@Command(
        name = "bolt",
        mixinStandardHelpOptions = true,
        versionProvider = Installation.VersionProvider.class,
        synopsisSubcommandLabel = "COMMAND",
        header = "Apache Spark shuffle over RDMA on Thunderbolt, with TCP always behind it.",
        description = {
            "",
            "Start here (two hosts on this machine, a sort, an ETL job and queries, with and without the plugin):",
            "  bolt demo --size 20m",
            "In a checkout, builds and runs the tests (Maven's options may follow):",
            "  bolt test",
            ""
        },
        footerHeading = "%nExit codes:%n",
        footer = {
            "  0  done, and every check was right",
            "  1  it ran and failed: a job, an output or a missing figure",
            "  2  the command line is wrong",
            "  3  this machine lacks something; the message says what and how to mend it",
            "  4  a check has warnings, but nothing is wrong",
            "  130, 143  interrupted (Ctrl-C, SIGTERM); nothing is left behind",
            "",
            "Environment:",
            "  JAVA_HOME   the JDK to use, 17 or newer (else java from the PATH)",
            "  SPARK_HOME  a Spark to use in place of the one gathered from Maven Central",
            "  BOLT_CACHE  where gathered Spark runtimes and event logs are kept",
            "  BOLT_INSTALL  yes: installs a missing JDK or compiler without asking; no: never asks"
        },
        subcommands = {
            AgentCommand.class,
            BenchCommand.class,
            ClusterVerb.class,
            ConformanceCommand.class,
            DemoCommand.class,
            DoctorCommand.class,
            HistoryCommand.class,
            InitCommand.class,
            LabCommand.class,
            QueriesCommand.class,
            SoakCommand.class,
            TopologyCommand.class,
            VerifyCommand.class,
            CommandLine.HelpCommand.class,
        })
public final class Bolt {
    private Bolt() {}

    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    /** The whole command line, as {@code main} runs it. */
    public static CommandLine commandLine() {
        return new CommandLine(new Bolt())
                .addSubcommand(new CommandLine(new SparkSubmitCommand()).setStopAtUnmatched(true))
                .setParameterExceptionHandler(Bolt::tellUsage)
                .setExecutionExceptionHandler(Bolt::tellFailure)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpAutoWidth(true);
    }

    private static int tellUsage(ParameterException e, String[] args) {
        CommandLine command = e.getCommandLine();
        PrintWriter err = command.getErr();
        err.println("bolt: " + e.getMessage());
        err.println("try: " + command.getCommandSpec().qualifiedName() + " --help");
        return ExitCode.USAGE;
    }

    private static int tellFailure(Exception e, CommandLine command, CommandLine.ParseResult parsed) throws Exception {
        if (Teardown.interrupted()) {
            return ExitCode.FAILED;
        }
        if (!(e instanceof BoltException known)) {
            throw e;
        }
        command.getErr().println("bolt: " + known.getMessage());
        return known.exitCode();
    }
}
