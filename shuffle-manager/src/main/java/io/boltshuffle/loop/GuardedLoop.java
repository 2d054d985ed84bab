package io.boltshuffle.loop;

import java.util.function.Consumer;

/**
 * A loop that outlives what is run on it: whatever a task or timer throws is told, and the next one runs. For an owner
 * whose channels must stay open when something breaks.
 *
 * <p><b>Threads:</b> as the loop behind it; the guard is called on the loop's thread.
 */
public final class GuardedLoop implements Loop {
    private final Loop loop;
    private final Consumer<Throwable> onDefect;

    /** @param onDefect told what a task threw; what it throws itself is the loop's to handle */
    public GuardedLoop(Loop loop, Consumer<Throwable> onDefect) {
        this.loop = loop;
        this.onDefect = onDefect;
    }

    @Override
    public void execute(Runnable task) {
        loop.execute(() -> run(task));
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

    @Override
    public boolean isCurrent() {
        return loop.isCurrent();
    }
}
