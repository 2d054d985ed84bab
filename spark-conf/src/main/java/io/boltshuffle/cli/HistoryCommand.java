package io.boltshuffle.cli;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Console;
import io.boltshuffle.cli.base.ForegroundProcess;
import io.boltshuffle.cli.base.Installation;
import io.boltshuffle.cli.option.SparkOption;
import io.boltshuffle.cli.runtime.SparkLauncher;
import io.boltshuffle.cli.runtime.UserCache;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bolt history}: Spark's history server over the event logs that earlier runs left. */
@Command(
        name = "history",
        mixinStandardHelpOptions = true,
        header = "Shows the Spark UI of earlier demo runs, until Ctrl-C.",
        description = {"", "Example:", "  bolt history", ""})
final class HistoryCommand implements Callable<Integer> {
    private static final String HOST = "127.0.0.1";

    @Option(names = "--port", defaultValue = "18080", description = "Port on 127.0.0.1 (default: ${DEFAULT-VALUE}).")
    private int port;

    @Mixin
    private final SparkOption spark = new SparkOption();

    @Override
    public Integer call() {
        Path eventLogs = UserCache.of(System.getenv()).eventLogs();
        if (!Files.isDirectory(eventLogs)) {
            throw BoltException.failed("there are no event logs in " + eventLogs + " yet: run bolt demo first");
        }
        requireFreePort();
        Console console = Console.standardError();
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.put("SPARK_LOCAL_IP", HOST);
        // The plugin's jar brings the tab of runs that were made with it.
        environment.put(
                "SPARK_DAEMON_CLASSPATH", Installation.current().pluginJar().toString());
        environment.put(
                "SPARK_HISTORY_OPTS",
                "\"-Dspark.history.fs.logDirectory=" + eventLogs.toUri() + "\" -Dspark.history.ui.port=" + port);
        ProcessBuilder server = new SparkLauncher(spark.find(console))
                .prepare("org.apache.spark.deploy.history.HistoryServer", List.of(), environment);
        console.line("history of " + eventLogs + ": http://" + HOST + ":" + port + " (Ctrl-C ends it)");
        return ForegroundProcess.run(server.inheritIO());
    }

    private void requireFreePort() {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            assert socket.isBound();
        } catch (IOException e) {
            throw BoltException.environment(
                    "port " + port + " of " + HOST + " is in use", "give another one with --port");
        }
    }
}
