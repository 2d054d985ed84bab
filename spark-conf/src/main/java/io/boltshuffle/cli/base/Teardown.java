package io.boltshuffle.cli.base;

import io.boltshuffle.os.ProcessTree;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/**
 * Undoes what a command did, in reverse order: at {@link #close}, or in a shutdown hook if Ctrl-C or SIGTERM comes
 * first.
 *
 * <p><b>Invariant:</b> each step runs once. Once the teardown has begun, {@link #open} opens nothing: a process that
 * started then could still write into directories that are gone already.
 *
 * <p><b>Threads:</b> any.
 */
public final class Teardown implements AutoCloseable {
    private static volatile boolean interrupted;

    private final Deque<Runnable> steps = new ArrayDeque<>();
    private final Thread hook = new Thread(this::runInterrupted, "teardown");
    private boolean begun;

    private Teardown() {}

    /** Returns a teardown that also happens when the JVM is told to stop. */
    public static Teardown hooked() {
        Teardown teardown = new Teardown();
        Runtime.getRuntime().addShutdownHook(teardown.hook);
        return teardown;
    }

    /** Returns true from Ctrl-C or SIGTERM on. A failure after that is a consequence of it. */
    public static boolean interrupted() {
        return interrupted;
    }

    /** Throws once the teardown has begun. A caller that starts one process after the other needs this to stop. */
    public synchronized void requireRunning() {
        if (begun) {
            throw BoltException.failed("interrupted");
        }
    }

    /** Opens something. */
    @FunctionalInterface
    public interface Opening<T> {
        T open() throws IOException;
    }

    /**
     * Opens what {@code undo} ends, in one step, so that Ctrl-C comes either before or after both.
     *
     * @throws BoltException when the teardown has begun; nothing is opened then
     */
    public synchronized <T> T open(Opening<T> opening, Consumer<T> undo) throws IOException {
        requireRunning();
        T opened = opening.open();
        steps.push(() -> undo.accept(opened));
        return opened;
    }

    /** Starts a process that ends with this teardown, and everything that it started with it. */
    public Process start(ProcessBuilder command) throws IOException {
        return start(command, ProcessTree.GRACE);
    }

    /** The same for a process that may take as long as {@code grace} to end in good order. */
    public Process start(ProcessBuilder command, Duration grace) throws IOException {
        return open(command::start, started -> ProcessTree.end(started, grace));
    }

    /** Forgets all steps: what they would have undone stays. */
    public synchronized void keep() {
        requireRunning();
        steps.clear();
    }

    /** Adds a step to run before all steps pushed so far. */
    public synchronized void push(Runnable step) {
        if (begun) {
            step.run();
            throw BoltException.failed("interrupted");
        }
        steps.push(step);
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The JVM is already stopping: the hook runs the steps, and this waits for it in runAll.
        }
        runAll();
    }

    private void runInterrupted() {
        interrupted = true;
        runAll();
    }

    private synchronized void runAll() {
        begun = true;
        RuntimeException first = null;
        while (!steps.isEmpty()) {
            try {
                steps.pop().run();
            } catch (RuntimeException e) {
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
