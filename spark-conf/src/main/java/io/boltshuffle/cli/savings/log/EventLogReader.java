package io.boltshuffle.cli.savings.log;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Console;
import io.boltshuffle.cli.base.Counted;
import io.boltshuffle.cli.runtime.SparkRuntime;
import io.boltshuffle.conf.ByteFigures;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Reads event logs as far as they go. A log may be cut, in progress, or have lines that are no events; its sums say so.
 */
public final class EventLogReader {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final SparkCodec.Libraries libraries;
    private final Console console;
    private final int longestLineBytes;

    /** @param spark finds the Spark whose codecs open compressed logs; asked only if there is one */
    public EventLogReader(Supplier<SparkRuntime> spark, Console console) {
        this(spark, console, EventLines.LONGEST_BYTES);
    }

    EventLogReader(Supplier<SparkRuntime> spark, Console console, int longestLineBytes) {
        this.libraries = new SparkCodec.Libraries(spark);
        this.console = console;
        this.longestLineBytes = longestLineBytes;
    }

    /**
     * Returns the applications whose logs are at these places, each of which is a log or a directory of logs. Files in
     * a directory that are no logs are named on the console and left out.
     */
    public List<ApplicationSums> read(List<Path> places) {
        List<ApplicationSums> applications = new ArrayList<>();
        for (Path place : places) {
            List<EventLog> logs = EventLog.at(place);
            List<ApplicationSums> its = new ArrayList<>();
            List<String> others = new ArrayList<>();
            for (EventLog log : logs) {
                read(log).ifPresentOrElse(its::add, () -> others.add(log.name()));
            }
            String unread = unread(place);
            if (its.isEmpty()) {
                boolean single = logs.size() == 1 && logs.get(0).isAt(place);
                throw BoltException.usage(
                        single
                                ? place + " is no event log of Spark's"
                                : "there is no event log of Spark's in " + place
                                        + (unread.isEmpty() ? "" : "; " + unread));
            }
            if (!unread.isEmpty()) {
                console.line(unread);
            }
            others.forEach(name -> console.line("left out, because it is no event log: " + place.resolve(name)));
            applications.addAll(its);
        }
        console.clearStatus();
        return applications;
    }

    private static String unread(Path place) {
        List<String> directories = EventLog.directoriesIn(place);
        return directories.isEmpty()
                ? ""
                : "directories in it are not looked into: " + String.join(", ", directories) + "; name them, too";
    }

    /** Returns the sums, or empty if no line is an event of Spark's. */
    private Optional<ApplicationSums> read(EventLog log) {
        ApplicationTally tally = new ApplicationTally();
        List<String> gaps = new ArrayList<>();
        for (Path file : log.files()) {
            FileOutcome outcome = read(file, tally);
            if (!tally.isApplication()) {
                return Optional.empty();
            }
            gaps.addAll(outcome.gaps(file));
        }
        if (log.compacted()) {
            gaps.add("the history server has dropped events of jobs that had ended, so this is only a part");
        }
        if (log.inProgress() || !tally.hasEnded()) {
            gaps.add("the application had not ended when the last event was written");
        }
        return tally.isApplication() ? Optional.of(tally.sums(log.name(), gaps)) : Optional.empty();
    }

    /** The defects found in a file. */
    private static final class FileOutcome {
        private long unreadable;
        private long tooLong;
        private boolean cut;

        List<String> gaps(Path file) {
            List<String> gaps = new ArrayList<>();
            if (cut) {
                gaps.add(file.getFileName() + " is cut, and was read as far as it goes");
            }
            if (unreadable > 0) {
                gaps.add(Counted.of(unreadable, "line") + " of " + file.getFileName() + " could not be read");
            }
            if (tooLong > 0) {
                gaps.add(Counted.of(tooLong, "line") + " of " + file.getFileName() + " passed over, because of length");
            }
            return gaps;
        }
    }

    private FileOutcome read(Path file, ApplicationTally tally) {
        FileOutcome outcome = new FileOutcome();
        try (InputStream raw = new Progress(file, console)) {
            try {
                InputStream plain = SparkCodec.of(file).isPresent()
                        ? SparkCodec.of(file).get().open(raw, libraries)
                        : raw;
                readLines(new EventLines(plain, longestLineBytes), tally, outcome);
            } catch (IOException e) {
                // A compressed stream that ends too early, or is none.
                outcome.cut = true;
            }
        } catch (IOException e) {
            throw BoltException.usage("cannot read " + file + " (" + e + ")");
        }
        return outcome;
    }

    private static void readLines(EventLines lines, ApplicationTally tally, FileOutcome outcome) throws IOException {
        try {
            for (Optional<byte[]> line = lines.next(); line.isPresent(); line = lines.next()) {
                Optional<String> event = EventLines.event(line.get());
                boolean read = event.isPresent() && read(event.get(), line.get(), tally);
                if (!read && !lines.lastEnded()) {
                    outcome.cut = true;
                } else if (!read) {
                    outcome.unreadable++;
                    if (!tally.isApplication()) {
                        return; // Spark's logs begin with an event.
                    }
                }
            }
        } finally {
            outcome.tooLong = lines.tooLong();
        }
    }

    private static boolean read(String event, byte[] line, ApplicationTally tally) {
        if (!ApplicationTally.wants(event)) {
            return true;
        }
        try {
            tally.add(event, JSON.readTree(line));
            return true;
        } catch (JsonProcessingException e) {
            return false;
        } catch (IOException e) {
            throw new IllegalStateException("memory cannot fail to be read", e);
        }
    }

    /** Counts the bytes of a file as they are read, and shows the share of it. */
    private static final class Progress extends FilterInputStream {
        private static final long STEP_BYTES = 16L << 20;

        private final Path file;
        private final long wholeBytes;
        private final Console console;
        private long bytes;
        private long nextBytes = STEP_BYTES;

        Progress(Path file, Console console) throws IOException {
            super(Files.newInputStream(file));
            this.file = file;
            this.wholeBytes = Files.size(file);
            this.console = console;
        }

        @Override
        public int read() throws IOException {
            int one = in.read();
            count(one < 0 ? 0 : 1);
            return one;
        }

        @Override
        public int read(byte[] into, int offset, int most) throws IOException {
            int some = in.read(into, offset, most);
            count(Math.max(0, some));
            return some;
        }

        private void count(int more) {
            bytes += more;
            if (bytes >= nextBytes) {
                nextBytes += STEP_BYTES;
                console.status("  reading " + file.getFileName() + ": " + ByteFigures.bytes(bytes) + " of "
                        + ByteFigures.bytes(wholeBytes));
            }
        }
    }
}
