package io.boltshuffle.cli.base;

import java.io.PrintStream;

/**
 * Shows progress to a person, on standard error: lines that stay, and one status line. A terminal rewrites the status
 * line in place; elsewhere it becomes a few plain lines.
 *
 * <p><b>Threads:</b> any.
 */
public final class Console {
    private static final long PLAIN_INTERVAL_NANOS = 5_000_000_000L;
    private static final String CLEAR_LINE = "\r\033[K";

    private final PrintStream out;
    private final boolean terminal;
    private boolean statusShown;
    private long nextPlainNanos = System.nanoTime();

    Console(PrintStream out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    /**
     * Returns the console of standard error. The launcher script knows whether that is a terminal; Java 17 cannot tell.
     */
    public static Console standardError() {
        return new Console(System.err, Boolean.getBoolean("bolt.terminal"));
    }

    /** Prints a line that stays. */
    public synchronized void line(String text) {
        clearStatus();
        out.println(text);
    }

    /** Shows what is going on right now. */
    public synchronized void status(String text) {
        if (terminal) {
            out.print(CLEAR_LINE + text);
            out.flush();
            statusShown = true;
        } else if (System.nanoTime() - nextPlainNanos >= 0) {
            out.println(text);
            nextPlainNanos = System.nanoTime() + PLAIN_INTERVAL_NANOS;
        }
    }

    /** Clears the status line before something else is printed. */
    public synchronized void clearStatus() {
        if (statusShown) {
            out.print(CLEAR_LINE);
            out.flush();
            statusShown = false;
        }
    }
}
