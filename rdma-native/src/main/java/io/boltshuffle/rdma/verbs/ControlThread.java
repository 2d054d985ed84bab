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
 * Makes calls that may hang on one daemon thread, so that callers wait for a bounded time only.
 *
 * <p><b>Invariant:</b> while one call hangs, no further call is made, and each fails at once with the name of the one
 * that hangs. Once that call has returned, calls are made again, so that objects made before can be released. The
 * results of a late return are ignored, but {@link DeviceStuckException#ifItSucceedsLate} reports it. A call reads and
 * writes its {@link CallMemory}, which lives until the call returns.
 *
 * <p><b>Threads:</b> several threads may call; their calls are made one after the other. An interrupted caller still
 * waits for its bounded time, because a handle that no caller receives is lost until the host restarts.
 */
final class ControlThread implements AutoCloseable {

    /** A control call, run on the control thread. */
    @FunctionalInterface
    interface Call<T> {
        /**
         * Makes the call.
         *
         * @param memory for what the call reads and writes; it is freed when this method returns
         */
        T run(CallMemory memory) throws VerbsException;
    }

    /**
     * A thread without calls ends after this time; the next call starts a new one. Verbs accept calls from any thread.
     */
    private static final Duration IDLE = Duration.ofSeconds(1);

    private final String subject;
    private final Duration timeout;
    private final ExecutorService executor;
    private @Nullable VerbsCall hung;
    private volatile @Nullable Future<?> underWay;

    /**
     * Creates the thread.
     *
     * @param subject device or library, for the thread's name and for messages
     * @param timeout the longest time that one call may take
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

    /**
     * Makes a call and waits for it.
     *
     * @throws DeviceStuckException if the call, or one before it, does not return in time
     */
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

    /**
     * Makes the call. The answer comes after the call's memory is freed, so that an action started by a late answer
     * finds none of it.
     */
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

    /** Returns whether the call that hung has still not returned. */
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

    /** Ends the thread, unless it hangs in a call: then it stays as a daemon. */
    @Override
    public void close() {
        executor.shutdown();
    }
}
