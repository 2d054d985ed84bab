package io.boltshuffle.cli.runtime;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.os.SystemCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Asks Spark's own launcher library for a command line, as the scripts of a Spark distribution do: it knows the memory
 * settings, class paths and {@code --add-opens} of its release, for the submitter and the daemons alike.
 */
public final class SparkLauncher {
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final SparkRuntime runtime;

    public SparkLauncher(SparkRuntime runtime) {
        this.runtime = runtime;
    }

    /**
     * Returns a process that is ready to start, with the command, and {@code environment} over the runtime's own.
     *
     * @param environment the whole environment of the process
     */
    public ProcessBuilder prepare(String mainClass, List<String> arguments, Map<String, String> environment) {
        List<String> ask = new ArrayList<>(List.of(
                SparkRuntime.java().toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                runtime.jars() + "/*",
                "org.apache.spark.launcher.Main",
                mainClass));
        ask.addAll(arguments);
        ProcessBuilder asking = new ProcessBuilder(ask);
        replaceEnvironment(asking, environment);
        ProcessBuilder command = new ProcessBuilder(parse(answer(asking)));
        replaceEnvironment(command, environment);
        return command;
    }

    private void replaceEnvironment(ProcessBuilder process, Map<String, String> environment) {
        process.environment().clear();
        process.environment().putAll(environment);
        process.environment().putAll(runtime.environment());
    }

    /**
     * Runs the launcher and returns its output. Its standard error goes to the user: it explains arguments that Spark
     * does not take.
     */
    private static String answer(ProcessBuilder asking) {
        SystemCommand.Result result = SystemCommand.run(LIMIT, asking);
        System.err.print(result.stderr());
        return switch (result.ending()) {
            case ENDED -> result.stdout();
            case TIMED_OUT ->
                throw BoltException.failed("Spark's launcher gave no command within " + LIMIT.toSeconds() + " s");
            case NOT_STARTED -> throw BoltException.failed(asking.command().get(0) + " cannot be started");
            case INTERRUPTED -> throw BoltException.failed("interrupted");
        };
    }

    /** The launcher prints NUL and a line feed, then each word of the command followed by NUL. */
    static List<String> parse(String answer) {
        String[] words = answer.split("\0", -1);
        if (words.length < 3 || !words[1].startsWith("\n")) {
            throw BoltException.failed("Spark's launcher gave no command; its message is above");
        }
        List<String> command = new ArrayList<>(List.of(words).subList(1, words.length - 1));
        command.set(0, command.get(0).substring(1));
        return command;
    }
}
