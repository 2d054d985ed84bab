package io.boltshuffle.spark.fetch;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.spark.storage.BlockManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the agent, while a shuffle is written, which hosts it will be read from: the hosts of all executors, as the
 * driver knows them. The agent needs about a second to connect and to measure the cables; with this notice the first
 * reader need not wait for it.
 *
 * <p><b>Threads:</b> any thread may announce. A thread of its own asks the driver, so that no task waits for it.
 */
final class FutureSources implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(FutureSources.class);

    /** Executors come and go. The first fetch, or the next announcement, covers those that came since the last one. */
    private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Supplier<List<String>> hosts;
    private final Consumer<List<String>> agent;
    private final LongSupplier clock;
    private final AtomicLong nextNanos;
    private final ExecutorService asking = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "boltshuffle-sources");
        thread.setDaemon(true);
        return thread;
    });

    /** @param hosts returns the hosts of the other executors; it may wait, and may fail */
    FutureSources(Supplier<List<String>> hosts, Consumer<List<String>> agent, LongSupplier clock) {
        this.hosts = hosts;
        this.agent = agent;
        this.clock = clock;
        this.nextNanos = new AtomicLong(clock.getAsLong());
    }

    /** @param agent is told of the hosts of all executors but this one */
    static FutureSources of(BlockManager own, Consumer<List<String>> agent) {
        return new FutureSources(() -> executorHosts(own), agent, System::nanoTime);
    }

    private static List<String> executorHosts(BlockManager own) {
        List<String> hosts = new ArrayList<>();
        own.master().getPeers(own.blockManagerId()).foreach(peer -> hosts.add(peer.host()));
        return hosts;
    }

    /** Announces the hosts soon; returns at once. */
    void announce() {
        long now = clock.getAsLong();
        long next = nextNanos.get();
        if (now - next >= 0 && nextNanos.compareAndSet(next, now + INTERVAL_NANOS)) {
            try {
                asking.execute(this::ask);
            } catch (RejectedExecutionException e) {
                log.debug("A task writes while the executor stops", e);
            }
        }
    }

    private void ask() {
        try {
            agent.accept(hosts.get());
        } catch (RuntimeException e) { // nothing depends on it
            log.debug("The hosts of the other executors are not known", e);
        }
    }

    @Override
    public void close() {
        asking.shutdownNow();
    }
}
