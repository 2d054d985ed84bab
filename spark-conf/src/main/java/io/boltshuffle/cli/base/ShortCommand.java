package io.boltshuffle.cli.base;

import io.boltshuffle.os.SystemCommand;
import java.time.Duration;
import java.util.List;

/** A program of the system that ends soon and has to succeed. */
public final class ShortCommand {
    private ShortCommand() {}

    /**
     * Runs the program and returns its standard output.
     *
     * @throws BoltException if it does not start, fails, or takes longer than {@code limit}; it is ended then
     */
    public static String run(Duration limit, List<String> command) {
        return run(limit, new ProcessBuilder(command), String.join(" ", command));
    }

    /**
     * Does the same in a directory and an environment of the caller's choice.
     *
     * @param title of the program, for the message of a failure
     */
    public static String run(Duration limit, ProcessBuilder command, String title) {
        SystemCommand.Result result = SystemCommand.run(limit, command);
        return switch (result.ending()) {
            case ENDED -> {
                if (result.exitCode() != 0) {
                    throw BoltException.failed(title + " ended with " + result.exitCode() + ": "
                            + (result.stdout() + result.stderr()).strip());
                }
                yield result.stdout();
            }
            case TIMED_OUT -> throw BoltException.failed(title + " took longer than " + limit.toSeconds() + " s");
            case NOT_STARTED -> throw BoltException.failed(title + " cannot be started");
            case INTERRUPTED -> throw BoltException.failed("interrupted");
        };
    }
}
