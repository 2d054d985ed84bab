package io.boltshuffle.cli.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A process as one command writes it down for another. The system gives the number of a process that has ended to a
 * later one, which the time of the start tells apart.
 *
 * @param title what it is: {@code master}, {@code worker-127.0.0.2}
 * @param startMillis since 1970; 0 where the system does not tell
 */
public record ProcessRecord(String title, long pid, long startMillis) {
    private static final Pattern TEXT = Pattern.compile("(\\d{1,18}) (\\d{1,18})\\s*");
    /** The system counts from its own start, and the clock may have been set since. */
    private static final Duration TOLERANCE = Duration.ofSeconds(10);

    private static final long POLL_MILLIS = 20;

    static ProcessRecord of(String title, ProcessHandle process) {
        return new ProcessRecord(title, process.pid(), startMillis(process));
    }

    /** Nothing if the text is none of a record, as after a full disk. */
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

    /** Whether it runs; one that has ended and of which only the exit code is left does not. */
    public boolean lives() {
        return living().isPresent();
    }

    private Optional<ProcessHandle> living() {
        return ProcessHandle.of(pid)
                .filter(this::isThis)
                .filter(ProcessHandle::isAlive)
                .filter(one -> !isZombie(pid));
    }

    private boolean isThis(ProcessHandle process) {
        long started = startMillis(process);
        return startMillis == 0 || started == 0 || Math.abs(started - startMillis) <= TOLERANCE.toMillis();
    }

    /** Ends the processes and all that they started: as asked, and after {@code grace} by force. */
    public static void end(List<ProcessRecord> processes, Duration grace) {
        // The list is taken before the first signal: an orphan is no longer anybody's descendant.
        List<ProcessRecord> all = processes.stream()
                .flatMap(process -> process.living().stream())
                .flatMap(process -> Stream.concat(Stream.of(process), process.descendants()))
                .distinct()
                .map(process -> of("", process))
                .toList();
        all.forEach(process -> process.living().ifPresent(ProcessHandle::destroy));
        if (!endedWithin(all, grace)) {
            all.forEach(process -> process.living().ifPresent(ProcessHandle::destroyForcibly));
            endedWithin(all, grace);
        }
    }

    private static boolean endedWithin(List<ProcessRecord> processes, Duration limit) {
        long deadlineNanos = System.nanoTime() + limit.toNanos();
        while (processes.stream().anyMatch(ProcessRecord::lives)) {
            if (System.nanoTime() - deadlineNanos > 0) {
                return false;
            }
            try {
                Thread.sleep(POLL_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return true;
    }

    private static long startMillis(ProcessHandle process) {
        return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }

    /** A container may have no process that collects the exit codes of orphans. Only Linux tells. */
    private static boolean isZombie(long pid) {
        try {
            String stat = new String(
                    Files.readAllBytes(Path.of("/proc", Long.toString(pid), "stat")), StandardCharsets.UTF_8);
            return stat.startsWith("Z", stat.lastIndexOf(')') + 2);
        } catch (IOException e) {
            return false; // it has ended meanwhile, or this is macOS
        }
    }
}
