package io.boltshuffle.loop;

import java.util.function.Consumer;

/**
 * A loop that survives the tasks and timers it runs: it reports what they throw, and runs the next one. It serves
 * owners whose channels must stay open after a defect.
 *
 * <p><b>Threads:</b> those of the loop behind it; the guard is called where the task ran.
 */
public final class GuardedLoop implements Loop {
    private final Loop loop;
    private final Consumer<Throwable> onDefect;

    /**
     * @param onDefect is told what a task threw; the loop behind this one handles what {@code onDefect} itself throws
     */
    public GuardedLoop(Loop loop, Consumer<Throwable> onDefect) {
        this.loop = loop;
        this.onDefect = onDefect;
    }

    @Override
    public void execute(Runnable task) {
        loop.execute(() -> run(task));
    }

    @Override
    public void execute(Runnable task, Runnable ifDropped) {
        loop.execute(() -> run(task), ifDropped);
    }

    @Override
    public void hurry(Runnable task) {
        loop.hurry(() -> run(task));
    }

    @Override
    public void hurry(Runnable task, Runnable ifDropped) {
        loop.hurry(() -> run(task), ifDropped);
    }

    @Override
    public Timer after(long delayNanos, Runnable task) {
        return loop.after(delayNanos, () -> run(task));
    }

    private void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            onDefect.accept(e);
        }
    }

    @Override
    public long nanoTime() {
        return loop.nanoTime();
    }
}
