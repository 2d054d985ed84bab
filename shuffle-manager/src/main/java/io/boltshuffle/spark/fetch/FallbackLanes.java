package io.boltshuffle.spark.fetch;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts the Netty legs of blocks that RDMA handed back, side by side for different addresses. To start a leg may mean
 * to connect, and an address that does not answer takes Spark's connection timeout for that, two minutes by default.
 *
 * <p><b>Invariant:</b> the legs to one address start one after the other, as Spark itself connects; they wait for no
 * other address, up to {@link #MOST_THREADS} that do not answer.
 *
 * <p><b>Threads:</b> any may start legs; they run on threads that live only while there is something to start.
 */
public final class FallbackLanes implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(FallbackLanes.class);

    static final int MOST_THREADS = 64;
    private static final int IDLE_SECONDS = 10;

    private record Address(String host, int port) {}

    private final Executor threads;
    private final Runnable onClose;
    /** The legs that wait because another one to their address is running. */
    private final Map<Address, Queue<Runnable>> lanes = new HashMap<>(); // guarded by this

    /** @param threads run what has to be started; the caller closes them */
    FallbackLanes(Executor threads) {
        this(threads, () -> {});
    }

    private FallbackLanes(Executor threads, Runnable onClose) {
        this.threads = threads;
        this.onClose = onClose;
    }

    /** Opens lanes with threads of their own. */
    public static FallbackLanes open() {
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                MOST_THREADS, MOST_THREADS, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "boltshuffle-fallback");
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
        return new FallbackLanes(threads, threads::shutdown);
    }

    /**
     * Runs the starts of legs, after those to the same address that were given before. If this throws, they do not run.
     */
    synchronized void start(BlockSource source, Runnable starts) {
        Address address = new Address(source.host(), source.port());
        Queue<Runnable> waiting = lanes.get(address);
        if (waiting != null) {
            waiting.add(starts);
            return;
        }
        lanes.put(address, new ArrayDeque<>());
        try {
            threads.execute(() -> run(address, starts));
        } catch (RuntimeException | Error e) { // closed, or no thread can be had
            lanes.remove(address);
            throw e;
        }
    }

    private void run(Address address, Runnable first) {
        for (Runnable next = first; next != null; next = next(address)) {
            try {
                next.run();
            } catch (RuntimeException | Error e) {
                DefectLog.error(log, "A fallback broke", e); // those behind it wait for this thread
            }
        }
    }

    private synchronized @Nullable Runnable next(Address address) {
        Queue<Runnable> waiting = lanes.get(address);
        Runnable next = waiting == null ? null : waiting.poll();
        if (next == null) {
            lanes.remove(address);
        }
        return next;
    }

    /** Starts what was given before, and nothing more. */
    @Override
    public void close() {
        onClose.run();
    }
}
