package io.boltshuffle.rdma.verbs;

import io.boltshuffle.rdma.DeviceStuckException;
import io.boltshuffle.rdma.VerbsException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
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
 * <p><b>Invariant:</b> while one call hangs, no further call is made, and each fails at once naming the one that hangs.
 * Once it has returned, be it late, what it made for a caller that has left is released first, then what was to be
 * released meanwhile; after that calls are made again. {@link DeviceStuckException} tells of the end. What a call reads
 * and writes is its {@link CallMemory}, which only its return ends.
 *
 * <p><b>Threads:</b> several threads may call; their calls are made one after the other. An interrupted caller still
 * waits for its bounded time, because a handle that no caller receives is lost until the host restarts.
 */
final class ControlThread implements AutoCloseable {

    /** A control call, run on the control thread. */
    @FunctionalInterface
    interface Call<T> {
        /** @param memory for what the call reads and writes; it is freed when this method returns */
        T run(CallMemory memory) throws VerbsException;
    }

    /** Releases what a call has made, on the control thread. */
    @FunctionalInterface
    interface Undoing<T> {
        void run(T made) throws VerbsException;
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

    /** @throws DeviceStuckException if the call, or one before it, does not return in time */
    <T> T call(VerbsCall name, Call<T> call) throws VerbsException {
        return call(name, call, null);
    }

    /**
     * Makes a call that releases something, as {@link #call} does; while an earlier call hangs, it is made once that
     * one has returned.
     *
     * @throws DeviceStuckException if the call, or one before it, does not return in time; it is under way in both
     *     cases
     */
    synchronized void release(VerbsCall name, Call<?> call) throws VerbsException {
        VerbsCall earlier = hung;
        if (earlier == null || !isHanging() || executor.isShutdown()) {
            Object unused = call(name, call, null);
            return;
        }
        CompletableFuture<?> later = enqueue(call);
        underWay = later;
        throw new DeviceStuckException(
                name + " on " + subject + " not made yet: an earlier " + earlier + " has not returned",
                earlier.toString(),
                later);
    }

    /**
     * @param undoing what the call has made is released by this if it returns only after its caller has left; null if
     *     it makes nothing
     * @throws DeviceStuckException if the call, or one before it, does not return in time
     */
    synchronized <T> T call(VerbsCall name, Call<T> call, @Nullable Undoing<T> undoing) throws VerbsException {
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
        CompletableFuture<T> result = enqueue(call);
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
            String message = name + " on " + subject + " did not return within " + timeout.toMillis() + " ms";
            if (undoing == null) {
                throw new DeviceStuckException(message, name.toString(), result);
            }
            CompletableFuture<?> undone = enqueue(memory -> undo(result, undoing));
            underWay = undone;
            throw new DeviceStuckException(message, name.toString(), result, undone);
        } catch (ExecutionException e) {
            throw rethrow(name, e.getCause());
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private <T> CompletableFuture<T> enqueue(Call<T> call) {
        CompletableFuture<T> result = new CompletableFuture<>();
        executor.execute(() -> make(call, result));
        return result;
    }

    /** Runs after the call, as the thread makes one after the other. A call that was refused has made nothing. */
    private static <T> boolean undo(CompletableFuture<T> result, Undoing<T> undoing) throws VerbsException {
        T made;
        try {
            made = result.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof VerbsException) {
                return true;
            }
            throw e;
        }
        undoing.run(made);
        return true;
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

    /** Returns whether the call that hung has still not returned, or what was to be done after it is not done. */
    boolean isHanging() {
        Future<?> call = underWay;
        return call != null && !call.isDone();
    }

    /** Returns whether no call is under way, and none will be. */
    boolean isOver() {
        return executor.isShutdown() && !isHanging();
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
