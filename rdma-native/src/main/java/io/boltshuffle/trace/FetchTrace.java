package io.boltshuffle.trace;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hears of the steps of this process's fetches. While nothing is traced, a step costs a look at one field.
 *
 * <p><b>Threads:</b> any. Steps are heard on the threads that take them.
 */
public final class FetchTrace {

    private static final Logger LOG = LoggerFactory.getLogger(FetchTrace.class);
    private static final long PROCESS = ProcessHandle.current().pid();

    private static volatile @Nullable Consumer<TracedStep> listener;

    private FetchTrace() {}

    /** A step is taken, by this thread and now. */
    public static void step(FetchStep step) {
        Consumer<TracedStep> hears = listener;
        if (hears != null) {
            hears.accept(TracedStep.now(step, PROCESS));
        }
    }

    /** Tells steps from now on, until {@link #off}. */
    public static void on(Consumer<TracedStep> hears) {
        listener = hears;
    }

    public static void off() {
        listener = null;
    }

    /**
     * Appends steps to a file from now on, a line for each, until the process ends. All processes of a host may have
     * one file.
     *
     * @param file its name; if empty, nothing is traced
     * @throws IOException if it cannot be opened
     */
    public static synchronized void appendTo(String file) throws IOException {
        boolean isOn = listener instanceof Appender appender && appender.file.equals(file);
        if (!file.isEmpty() && !isOn) {
            // Not a FileChannel: Spark interrupts tasks, and an interrupt would close that.
            on(new Appender(new FileOutputStream(file, /* append= */ true), file));
        }
    }

    /** Writes each line at once and as a whole, so that lines of several processes do not mix. */
    private static final class Appender implements Consumer<TracedStep> {
        private final OutputStream out;
        private final String file;

        Appender(OutputStream out, String file) {
            this.out = out;
            this.file = file;
        }

        @Override
        public synchronized void accept(TracedStep step) {
            try {
                out.write((step.toLine() + "\n").getBytes(UTF_8));
            } catch (IOException e) {
                off();
                LOG.warn("fetches are traced no more: {} takes no line: {}", file, e.toString());
            }
        }
    }
}
