package io.boltshuffle.agent.files;

import io.boltshuffle.loop.Loop;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Threads that may block: on the disk, on a file system of the network, on a name server. The loop hands them work and
 * hears what came of it.
 *
 * <p><b>Invariant:</b> the giver of a piece of work hears of it once, whatever the work throws. An exception costs that
 * piece of work only. An {@link Error}, such as want of memory, may have struck between any two steps of the
 * bookkeeping that readers share with the loop (the pool, the staging budget); that may be inconsistent then, so
 * it ends the loop, and the agent.
 *
 * <p><b>Threads:</b> any may call {@link #run}; work runs on a reader, what follows on the loop, or on the same
 * reader in the place of a loop that sleeps.
 */
public final class Readers {

    private final Loop loop;
    private final Executor threads;

    public Readers(Loop loop, Executor threads) {
        this.loop = loop;
        this.threads = threads;
    }

    /**
     * Runs work on a reader.
     *
     * @param whenOver told on the loop: what the work returned, or what it threw; a {@link CancellationException} if
     *     all readers hang, and it was not begun
     * @param whenHung told on the loop that the work may never be over, because storage hangs
     */
    public <T> void run(
            Supplier<T> work, BiConsumer<@Nullable T, @Nullable RuntimeException> whenOver, Consumer<String> whenHung) {
        threads.execute(new Task<>(loop, work, whenOver, whenHung));
    }

    /** A task, made before the work begins, so that telling of its end takes next to no memory. */
    private static final class Task<T> implements ReaderPool.Work {
        private final Loop loop;
        private final Supplier<T> work;
        private final BiConsumer<@Nullable T, @Nullable RuntimeException> whenOver;
        private final Consumer<String> whenHung;
        private final Runnable end = this::end;
        private @Nullable T value;
        private @Nullable Throwable thrown;

        Task(
                Loop loop,
                Supplier<T> work,
                BiConsumer<@Nullable T, @Nullable RuntimeException> whenOver,
                Consumer<String> whenHung) {
            this.loop = loop;
            this.work = work;
            this.whenOver = whenOver;
            this.whenHung = whenHung;
        }

        @Override
        public void run() {
            try {
                value = work.get();
            } catch (RuntimeException | Error e) {
                thrown = e;
            }
            loop.hurry(end);
        }

        @Override
        public void hangs(String detail) {
            loop.execute(() -> whenHung.accept(detail));
        }

        @Override
        public void refuse(String detail) {
            thrown = new CancellationException(detail);
            hangs(detail);
            loop.execute(end);
        }

        private void end() {
            if (thrown instanceof Error error) {
                throw error;
            }
            whenOver.accept(value, (RuntimeException) thrown);
        }
    }
}
