package io.boltshuffle.os;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** A signal that this process can send to another process of this machine. */
public enum Signal {
    /** Asks it to end. */
    TERM,
    /** Ends it without asking. */
    KILL,
    /** Stops it in its tracks until {@link #CONT}. */
    STOP,
    CONT;

    private static final Duration LIMIT = Duration.ofSeconds(10);

    /** @throws IOException if there is no such process, or it is another user's */
    public void send(long process) throws IOException {
        List<String> command = List.of("sh", "-c", "kill -" + name() + " " + process);
        SystemCommand.Result result = SystemCommand.run(LIMIT, command);
        if (!result.succeeded()) {
            throw new IOException("process " + process + " does not get " + this + ": " + result.ending() + " "
                    + result.stderr().strip());
        }
    }
}
