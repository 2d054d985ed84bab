package io.boltshuffle.cli;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Console;
import io.boltshuffle.cli.base.ForegroundProcess;
import io.boltshuffle.cli.base.Installation;
import io.boltshuffle.cli.localcluster.LocalCluster;
import io.boltshuffle.cli.option.SparkOption;
import io.boltshuffle.cli.runtime.PluginFlags;
import io.boltshuffle.cli.runtime.PrivateSettings;
import io.boltshuffle.cli.runtime.PythonSpark;
import io.boltshuffle.cli.runtime.SparkDefaults;
import io.boltshuffle.cli.runtime.SparkLauncher;
import io.boltshuffle.cli.runtime.SparkRuntime;
import io.boltshuffle.cli.runtime.UserCache;
import io.boltshuffle.cli.up.WholeCluster;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
            "Everything is passed on to Spark as it is. Added are spark.plugins, spark.shuffle.manager, and the "
                    + "plugin's jar: by --jars on Spark 4, by the extra class path of driver and "
                    + "executors on Spark 3.5. Jars, plugins and class paths of yours are kept; a "
                    + "spark.shuffle.manager of yours stays, and the plugin carries its shuffles. With the --master of "
                    + "'bolt cluster' or 'bolt up', also what finds its agents.",
            "",
            "For a Python program, Spark is that of the installed pyspark; another release is refused.",
            "",
            "Example, run in a checkout: a join of rows that it makes itself:",
            "  bolt spark-submit --class io.boltshuffle.examples.FirstJoin \\",
            "    spark-conf/target/lib/boltshuffle-cli-*.jar 1000000",
            "",
            "Options of bolt come first; from the first word that is not one of them, all belongs to Spark."
        },
        footer = {"", "Exits with what Spark's submitter exits with."})
final class SparkSubmitCommand implements Callable<Integer> {
    private static final String LOCAL_IP = "SPARK_LOCAL_IP";

    /** This verb has only this one of the standard options, because {@code --version} is Spark's. */
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
        Optional<PythonSpark> python = PythonSpark.find(System.getenv(), arguments, spark.wanted());
        SparkRuntime runtime = spark.find(
                console, python.map(found -> found.addTo(System.getenv())).orElse(System.getenv()));
        Properties defaults = SparkDefaults.read(arguments, System.getenv(), runtime);
        PluginFlags.foreignManager(arguments, defaults)
                .ifPresent(name -> console.line("bolt: spark.shuffle.manager is set to " + name
                        + ": the plugin carries its shuffles, and does not write them"));
        String master = PluginFlags.master(arguments, defaults).orElse("");
        LocalCluster cluster = cluster(master);
        cluster.requireRelease(master, runtime.release());
        cluster.requireConnect(master, arguments);
        Map<String, String> ofCluster = new HashMap<>(cluster.settingsFor(master));
        if (ofCluster.isEmpty()) {
            requireOwnAddress();
        }
        PluginFlags flags =
                new PluginFlags(runtime.line(), Installation.current().pluginJar());
        Map<String, String> secret = ofCluster.isEmpty() ? Map.of() : cluster.secretSettings();
        if (!secret.isEmpty()) {
            ofCluster.putAll(WholeCluster.settings(cluster));
        }
        List<String> complete = PluginFlags.addMissing(flags.addTo(arguments, defaults), defaults, ofCluster);
        try (PrivateSettings settings = PrivateSettings.in(cluster.root(), defaults, secret)) {
            ProcessBuilder submit = new SparkLauncher(runtime)
                    .prepare(
                            "org.apache.spark.deploy.SparkSubmit",
                            settings.addTo(complete),
                            environment(ofCluster, python));
            return ForegroundProcess.run(submit.inheritIO());
        }
    }

    /** Returns the cluster that this machine takes part in by that URL; the one of virtual hosts if it is neither's. */
    private static LocalCluster cluster(String master) {
        UserCache cache = UserCache.of(System.getenv());
        LocalCluster machines = LocalCluster.ofMachines(cache);
        return machines.settingsFor(master).isEmpty() ? LocalCluster.of(cache) : machines;
    }

    /**
     * Returns the environment. A cluster that this machine takes part in says which address to use, so the machine's
     * own name does not matter there. Its executors find this Python, where the PATH of their worker may lead to one
     * without PySpark.
     */
    private static Map<String, String> environment(Map<String, String> ofCluster, Optional<PythonSpark> python) {
        Map<String, String> environment = new HashMap<>(System.getenv());
        if (!ofCluster.isEmpty()) {
            environment.putIfAbsent(LOCAL_IP, ofCluster.getOrDefault("spark.driver.host", "127.0.0.1"));
            python.ifPresent(found -> environment.putIfAbsent("PYSPARK_PYTHON", found.python()));
        }
        return environment;
    }

    /**
     * Checks the machine's own address. Spark looks it up by the machine's name, and ends with a stack trace if that is
     * unknown.
     */
    private static void requireOwnAddress() {
        if (!System.getenv().getOrDefault(LOCAL_IP, "").isEmpty()) {
            return;
        }
        try {
            InetAddress.getLocalHost();
        } catch (UnknownHostException e) {
            throw BoltException.environment(
                    "this machine's own name does not resolve (" + e.getMessage() + ")",
                    "add a line '127.0.1.1 NAME' to /etc/hosts, or set SPARK_LOCAL_IP to an address of this machine");
        }
    }
}
