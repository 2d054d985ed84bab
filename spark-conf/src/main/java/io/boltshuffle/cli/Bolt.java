package io.boltshuffle.cli;

import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_COMMAND_LIST;
import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING;

import io.boltshuffle.cli.agent.AgentCommand;
import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.ExitCode;
import io.boltshuffle.cli.base.Installation;
import io.boltshuffle.cli.base.SubcommandProvider;
import io.boltshuffle.cli.base.Teardown;
import io.boltshuffle.cli.doctor.DoctorCommand;
import io.boltshuffle.cli.doctor.InitCommand;
import io.boltshuffle.cli.doctor.TopologyCommand;
import io.boltshuffle.cli.localcluster.ClusterVerb;
import io.boltshuffle.cli.savings.SavingsCommand;
import io.boltshuffle.cli.up.DownCommand;
import io.boltshuffle.cli.up.JoinCommand;
import io.boltshuffle.cli.up.LeaveCommand;
import io.boltshuffle.cli.up.UpCommand;
import io.boltshuffle.cli.verify.VerifyCommand;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.ServiceLoader;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;

/**
 * The root command, which only names the verbs. A new verb is one class, listed in {@code subcommands}. In a checkout,
 * another jar brings the verbs that measure and prove.
 */
@Command(
        name = "bolt",
        mixinStandardHelpOptions = true,
        versionProvider = Installation.VersionProvider.class,
        synopsisSubcommandLabel = "COMMAND",
        header = "Apache Spark shuffle over RDMA on Thunderbolt, with TCP always behind it.",
        description = {
            "",
            "Start here (two hosts on this machine, joined by a virtual cable; no hardware needed):",
            "  bolt verify --virtual        does RDMA work?",
            "  bolt demo --size 20m         Spark jobs with and without the plugin",
            "  bolt cluster start           a cluster for your own jobs",
            "In a checkout, builds and runs the tests (Maven's options may follow):",
            "  bolt test",
            ""
        },
        footerHeading = "%nExit codes:%n",
        footer = {
            "  0  done, and every check was right",
            "  1  it ran and failed: a job, an output or a missing figure",
            "  2  the command line is wrong, or names what is not there; or no verb",
            "  3  this machine lacks something; the message says what and how to mend it",
            "  4  a check has warnings, but nothing is wrong",
            "  130, 143  interrupted (Ctrl-C, SIGTERM); nothing is left behind",
            "",
            "Environment:",
            "  JAVA_HOME     the JDK to use, 17 or newer (else java from the PATH)",
            "  SPARK_HOME    a Spark to use in place of the one that is gathered",
            "  BOLT_CACHE    where gathered Sparks, event logs and the cluster are",
            "  BOLT_INSTALL  yes: install a missing JDK or compiler; no: do not ask"
        },
        subcommands = {
            AgentCommand.class,
            ClusterVerb.class,
            DemoCommand.class,
            DoctorCommand.class,
            DownCommand.class,
            HistoryCommand.class,
            InitCommand.class,
            JoinCommand.class,
            LeaveCommand.class,
            SavingsCommand.class,
            TopologyCommand.class,
            UpCommand.class,
            VerifyCommand.class,
            CommandLine.HelpCommand.class,
        })
public final class Bolt {
    private static final String STACK_TRACE = "BOLT_STACK_TRACE";

    private Bolt() {}

    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    /** Returns the whole command line, as {@code main} runs it. */
    public static CommandLine commandLine() {
        CommandLine bolt = new CommandLine(new Bolt());
        ServiceLoader.load(SubcommandProvider.class)
                .forEach(more -> more.verbs().forEach(bolt::addSubcommand));
        bolt.addSubcommand(new CommandLine(new SparkSubmitCommand()).setStopAtUnmatched(true))
                .setParameterExceptionHandler(Bolt::tellUsage)
                .setExecutionExceptionHandler(Bolt::tellFailure)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setHelpFactory(UnbrokenHelp::new)
                .setColorScheme(CommandLine.Help.defaultColorScheme(
                        Boolean.getBoolean("bolt.terminal") ? CommandLine.Help.Ansi.AUTO : CommandLine.Help.Ansi.OFF))
                .setUsageHelpAutoWidth(true);
        bolt.getHelpSectionMap().put(SECTION_KEY_COMMAND_LIST_HEADING, help -> System.lineSeparator());
        bolt.getHelpSectionMap().put(SECTION_KEY_COMMAND_LIST, new VerbGroups());
        return bolt;
    }

    private static int tellUsage(ParameterException e, String[] args) {
        CommandLine command = e.getCommandLine();
        PrintWriter err = command.getErr();
        if (UsageError.isMissingVerb(command, e)) {
            command.usage(err);
            return ExitCode.USAGE;
        }
        err.println("bolt: " + UsageError.tell(e));
        err.println("try: " + command.getCommandSpec().qualifiedName() + " --help");
        return ExitCode.USAGE;
    }

    private static int tellFailure(Exception e, CommandLine command, CommandLine.ParseResult parsed) {
        if (Teardown.interrupted()) {
            return ExitCode.FAILED;
        }
        PrintWriter err = command.getErr();
        if (e instanceof BoltException known) {
            err.println("bolt: " + known.getMessage());
            return known.exitCode();
        }
        if (System.getenv(STACK_TRACE) != null) {
            e.printStackTrace(err);
        }
        Throwable cause = e instanceof UncheckedIOException && e.getCause() != null ? e.getCause() : e;
        err.println("bolt: unexpected: " + cause + "; with " + STACK_TRACE + "=yes it says where, for a bug report");
        return ExitCode.FAILED;
    }
}
