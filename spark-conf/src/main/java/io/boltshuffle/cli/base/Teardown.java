package io.boltshuffle.cli.base;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What has to be undone when the command ends, in reverse order: at {@link #close}, or in a shutdown hook when Ctrl-C or
 * SIGTERM comes first.
 *
 * <p><b>Invariant:</b> each step runs once; a step pushed after the teardown began runs at once, and the push throws, so that
 * a start racing with Ctrl-C leaves nothing behind.
 *
 * <p><b>Threads:</b> any.
 */
public final class Teardown implements AutoCloseable {
    private static volatile boolean interrupted;

    private final Deque<Runnable> steps = new ArrayDeque<>();
    private final Thread hook = new Thread(this::runInterrupted, "teardown");
    private boolean begun;

    private Teardown() {}

    /** A teardown that also happens when the JVM is told to stop. */
    public static Teardown hooked() {
        Teardown teardown = new Teardown();
        Runtime.getRuntime().addShutdownHook(teardown.hook);
        return teardown;
    }

    /** True from Ctrl-C or SIGTERM on: what fails from then on fails because of it. */
    public static boolean interrupted() {
        return interrupted;
    }

    /** Throws when the teardown has begun: for who starts one process after the other, and sees the last one ended. */
    public synchronized void requireRunning() {
        if (begun) {
            throw BoltException.failed("interrupted");
        }
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
