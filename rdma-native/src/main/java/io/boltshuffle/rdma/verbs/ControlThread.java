package io.boltshuffle.rdma.verbs;

import io.boltshuffle.rdma.DeviceStuckException;
import io.boltshuffle.rdma.VerbsException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Keeps calls that may hang away from callers: one daemon thread makes them, the caller waits a bounded time.
 *
 * <p><b>Invariant:</b> while one call hangs, no further call is made, and each fails at once naming the one that hangs.
 * Once it has returned, be it late, calls are made again: what was made before can then be released. What a late return
 * brings is left alone, but {@link DeviceStuckException#ifItSucceedsLate} tells of it. What a call reads and writes is
 * its {@link CallMemory}, which only its return ends.
 *
 * <p><b>Threads:</b> callers may be many; their calls are made one after the other. An interrupted caller still waits
 * its bounded time, because a handle that comes back to nobody is lost until the host restarts.
 */
final class ControlThread implements AutoCloseable {

    /** A control call, run on the control thread. */
    @FunctionalInterface
    interface Call<T> {
        /** @param memory for what the call reads and writes; it goes when this returns */
        T run(CallMemory memory) throws VerbsException;
    }

    /** A thread without calls goes away; the next call gets a new one. Verbs do not care which thread calls. */
    private static final Duration IDLE = Duration.ofSeconds(1);

    private final String subject;
    private final Duration timeout;
    private final ExecutorService executor;
    private @Nullable VerbsCall hung;
    private volatile @Nullable Future<?> underWay;

    /**
     * @param subject device or library, for the thread's name and for messages
     * @param timeout longest time one call may take
     */
    ControlThread(String subject, Duration timeout) {
        this.subject = subject;
        this.timeout = timeout;
        ThreadPoolExecutor single = new ThreadPoolExecutor(
                1, 1, IDLE.toNanos(), TimeUnit.NANOSECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "verbs-control-" + subject);
                    thread.setDaemon(true);
                    return thread;
                });
        single.allowCoreThreadTimeOut(true);
        this.executor = single;
    }

    /** @throws DeviceStuckException if the call, or one before it, does not return in time */
    synchronized <T> T call(VerbsCall name, Call<T> call) throws VerbsException {
        VerbsCall earlier = hung;
        if (earlier != null && isHanging()) {
            throw new DeviceStuckException(
                    name + " on " + subject + " not made: an earlier " + earlier + " has not returned",
                    earlier.toString(),
                    /* underWay= */ false);
        }
        hung = null;
        if (executor.isShutdown()) {
            throw new IllegalStateException(name + " on " + subject + " after it was closed");
        }
        CompletableFuture<T> result = new CompletableFuture<>();
        executor.execute(() -> make(call, result));
        boolean interrupted = false;
        long deadline = System.nanoTime() + timeout.toNanos();
        try {
            while (true) {
                try {
                    return result.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (TimeoutException e) {
            hung = name;
            underWay = result;
            throw new DeviceStuckException(
                    name + " on " + subject + " did not return within " + timeout.toMillis() + " ms",
                    name.toString(),
                    result);
        } catch (ExecutionException e) {
            throw rethrow(name, e.getCause());
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** The answer comes after the call's memory is gone, so that what a late answer starts finds nothing of it. */
    private static <T> void make(Call<T> call, CompletableFuture<T> result) {
        T returned;
        try (CallMemory memory = new CallMemory()) {
            returned = call.run(memory);
        } catch (Throwable e) {
            result.completeExceptionally(e);
            return;
        }
        result.complete(returned);
    }

    /** Whether the call that hung has still not returned. */
    boolean isHanging() {
        Future<?> call = underWay;
        return call != null && !call.isDone();
    }

    private VerbsException rethrow(VerbsCall name, @Nullable Throwable cause) {
        if (cause instanceof VerbsException failure) {
            return failure;
        }
        throw new IllegalStateException(name + " on " + subject + " broke", cause);
    }

    /** Ends the thread, unless it hangs in a call: then it stays, as a daemon. */
    @Override
    public void close() {
        executor.shutdown();
    }
}
