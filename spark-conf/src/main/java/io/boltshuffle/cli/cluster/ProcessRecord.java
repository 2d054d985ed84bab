package io.boltshuffle.cli.cluster;

import io.boltshuffle.os.ProcessTree;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A process as one command records it for another. The system gives the number of an ended process to a later one; the
 * time of the start tells the two apart.
 *
 * @param title what it is: {@code master}, {@code worker-127.0.0.2}
 * @param startMillis since 1970; 0 if the system does not say
 */
public record ProcessRecord(String title, long pid, long startMillis) {
    private static final Pattern TEXT = Pattern.compile("(\\d{1,18}) (\\d{1,18})\\s*");
    /** The system counts from its own start, and the clock may have been set since. */
    private static final Duration TOLERANCE = Duration.ofSeconds(10);

    static ProcessRecord of(String title, ProcessHandle process) {
        return new ProcessRecord(title, process.pid(), startMillis(process));
    }

    /** Reads a record. Returns empty if the text is not one, as after a full disk. */
    static Optional<ProcessRecord> parse(String title, String text) {
        Matcher matcher = TEXT.matcher(text);
        return matcher.matches()
                ? Optional.of(
                        new ProcessRecord(title, Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2))))
                : Optional.empty();
    }

    String text() {
        return pid + " " + startMillis;
    }

    /** Returns whether the process runs. A process of which only the exit code is left does not. */
    public boolean lives() {
        return living().isPresent();
    }

    private Optional<ProcessHandle> living() {
        return ProcessHandle.of(pid).filter(this::isThis).filter(ProcessTree::isAlive);
    }

    private boolean isThis(ProcessHandle process) {
        long started = startMillis(process);
        return startMillis == 0 || started == 0 || Math.abs(started - startMillis) <= TOLERANCE.toMillis();
    }

    /** Ends the processes and everything they started: it asks, and after {@code grace} it uses force. */
    public static void end(List<ProcessRecord> processes, Duration grace) {
        ProcessTree.end(
                processes.stream().flatMap(process -> process.living().stream()).toList(), grace);
    }

    private static long startMillis(ProcessHandle process) {
        return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }
}
