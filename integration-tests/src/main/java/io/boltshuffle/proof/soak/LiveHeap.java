package io.boltshuffle.proof.soak;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.ShortCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Measures how much of a JVM's heap is in use after a full collection, which it makes the JVM do.
 *
 * <p><b>Threads:</b> one.
 *
 * <p><b>Ownership:</b> a JVM that is asked opens a socket in {@code /tmp}, which stays if the JVM is killed;
 * {@link #close} removes the sockets of all JVMs that were asked.
 */
final class LiveHeap implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Pattern TOTAL = Pattern.compile("(?m)^Total\\s+\\d+\\s+(\\d{1,18})\\s*$");
    private static final Path JCMD = Path.of(System.getProperty("java.home"), "bin", "jcmd");

    private final Set<Long> asked = new HashSet<>();

    /**
     * Returns the bytes; empty if the process does not answer, because it has ended meanwhile or this Java is not a
     * JDK.
     */
    OptionalLong bytes(long pid) {
        if (!Files.isExecutable(JCMD)) {
            return OptionalLong.empty();
        }
        asked.add(pid);
        try {
            return total(ShortCommand.run(LIMIT, List.of(JCMD.toString(), Long.toString(pid), "GC.class_histogram")));
        } catch (BoltException e) {
            return OptionalLong.empty();
        }
    }

    /** Reads the text of a class histogram. */
    static OptionalLong total(String histogram) {
        Matcher total = TOTAL.matcher(histogram);
        return total.find() ? OptionalLong.of(Long.parseLong(total.group(1))) : OptionalLong.empty();
    }

    @Override
    public void close() {
        try {
            for (long pid : asked) {
                if (ProcessHandle.of(pid).isEmpty()) {
                    Files.deleteIfExists(Path.of("/tmp", ".java_pid" + pid));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
