package io.boltshuffle.cli;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Console;
import io.boltshuffle.cli.base.ForegroundProcess;
import io.boltshuffle.cli.base.Installation;
import io.boltshuffle.cli.option.SparkOption;
import io.boltshuffle.cli.runtime.PluginFlags;
import io.boltshuffle.cli.runtime.SparkDefaults;
import io.boltshuffle.cli.runtime.SparkLauncher;
import io.boltshuffle.cli.runtime.SparkRuntime;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Unmatched;

/** {@code bolt spark-submit}: Spark's own submitter with the plugin's flags added. */
@Command(
        name = "spark-submit",
        header = "Spark's own spark-submit, with the plugin's flags added.",
        customSynopsis = "bolt spark-submit [--spark LINE] SPARK-SUBMIT-ARGUMENTS...",
        description = {
            "",
            "Everything is passed on to Spark as it is. Added are spark.shuffle.manager and the plugin's jar: by --jars on "
                    + "Spark 4, by the extra class path of driver and executors on Spark 3.5. Jars and class paths of yours "
                    + "are kept; a spark.shuffle.manager of yours wins.",
            "",
            "Example, run in a checkout: makes 10 MB of rows, then sorts them:",
            "  bolt spark-submit --class io.boltshuffle.examples.TeraGen \\",
            "    spark-conf/target/lib/boltshuffle-cli-*.jar 100000 2 rows",
            "  bolt spark-submit --class io.boltshuffle.examples.TeraSort \\",
            "    spark-conf/target/lib/boltshuffle-cli-*.jar rows sorted 4",
            "",
            "Options of bolt come first; from the first word that is not one of them, all belongs to Spark."
        },
        footer = {"", "Exits with what Spark's submitter exits with."})
final class SparkSubmitCommand implements Callable<Integer> {
    /** Only this one of the standard options: {@code --version} is Spark's. */
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help message and exit.")
    @SuppressWarnings("UnusedVariable") // picocli sets it, and shows the help itself
    private boolean help;

    @Mixin
    private final SparkOption spark = new SparkOption();

    @Unmatched
    private final List<String> arguments = new ArrayList<>();

    @Override
    public Integer call() {
        if (arguments.isEmpty()) {
            throw BoltException.usage("spark-submit needs an application: try bolt spark-submit --help");
        }
        Console console = Console.standardError();
        SparkRuntime runtime = spark.find(console);
        Properties defaults = SparkDefaults.read(arguments, System.getenv(), runtime);
        PluginFlags.foreignManager(arguments, defaults)
                .ifPresent(name -> console.line(
                        "bolt: spark.shuffle.manager is set to " + name + ": this job runs without boltshuffle"));
        PluginFlags flags =
                new PluginFlags(runtime.line(), Installation.current().pluginJar());
        ProcessBuilder submit = new SparkLauncher(runtime)
                .prepare("org.apache.spark.deploy.SparkSubmit", flags.addTo(arguments, defaults), System.getenv());
        return ForegroundProcess.run(submit.inheritIO());
    }
}
