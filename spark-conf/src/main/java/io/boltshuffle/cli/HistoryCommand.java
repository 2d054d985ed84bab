package io.boltshuffle.cli;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Console;
import io.boltshuffle.cli.base.ForegroundProcess;
import io.boltshuffle.cli.base.Installation;
import io.boltshuffle.cli.option.SparkOption;
import io.boltshuffle.cli.runtime.HistoryServer;
import io.boltshuffle.cli.runtime.UserCache;
import io.boltshuffle.os.ProcessTree;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bolt history}: Spark's history server over event logs. */
@Command(
        name = "history",
        mixinStandardHelpOptions = true,
        header = "Shows the Spark UI of jobs that have ended, with the plugin's tab, until Ctrl-C.",
        description = {
            "",
            "Of the demo's jobs, or of any directory that spark.eventLog.dir named.",
            "",
            "Example:",
            "  bolt history",
            "  bolt history my-event-logs",
            ""
        })
final class HistoryCommand implements Callable<Integer> {
    private static final String HOST = HistoryServer.HOST;
    private static final int HIGHEST_PORT = 65535;
    private static final long POLL_MILLIS = 200;

    @Parameters(
            arity = "0..1",
            paramLabel = "DIR",
            description = "Directory of event logs (default: those that bolt demo kept).")
    private @Nullable Path directory;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "18080",
            description = "Port on 127.0.0.1 (default: ${DEFAULT-VALUE}).")
    private int port;

    @Mixin
    private final SparkOption spark = new SparkOption();

    @Override
    public Integer call() {
        Path eventLogs = eventLogs();
        requireFreePort();
        Console console = Console.standardError();
        ProcessBuilder server = HistoryServer.prepare(
                spark.find(console), Installation.current().pluginJar(), eventLogs, port, System.getenv());
        console.line("starting Spark's history server over " + eventLogs);
        return ForegroundProcess.run(
                server.inheritIO(), ProcessTree.GRACE, process -> tellWhenItListens(process, console));
    }

    private Path eventLogs() {
        if (directory != null) {
            if (!Files.isDirectory(directory)) {
                throw BoltException.usage(directory + " is no directory of event logs");
            }
            return directory.toAbsolutePath();
        }
        Path kept = UserCache.of(System.getenv()).eventLogs();
        if (!Files.isDirectory(kept)) {
            throw BoltException.failed(
                    "there are no event logs in " + kept + " yet: run bolt demo first, or name another directory");
        }
        return kept;
    }

    private void requireFreePort() {
        if (port < 1 || port > HIGHEST_PORT) {
            throw BoltException.usage("--port is " + port + "; it has to be 1 to " + HIGHEST_PORT);
        }
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            assert socket.isBound();
        } catch (IOException e) {
            throw BoltException.environment(
                    "port " + port + " of " + HOST + " is in use", "give another one with --port");
        }
    }

    private void tellWhenItListens(Process server, Console console) {
        Thread watcher = new Thread(
                () -> {
                    while (server.isAlive() && !pauseUntilItListens()) {
                        console.status("  not listening yet");
                    }
                    if (server.isAlive()) {
                        console.line("history: http://" + HOST + ":" + port + " (Ctrl-C ends it)");
                    }
                },
                "history-watcher");
        watcher.setDaemon(true);
        watcher.start();
    }

    /** Waits a short time, then looks once. */
    private boolean pauseUntilItListens() {
        try (Socket socket = new Socket()) {
            Thread.sleep(POLL_MILLIS);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), Math.toIntExact(POLL_MILLIS));
            return true;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }
}
