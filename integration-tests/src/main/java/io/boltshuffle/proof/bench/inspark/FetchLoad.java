package io.boltshuffle.proof.bench.inspark;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.shuffle.BlockFetchingListener;
import org.apache.spark.network.shuffle.BlockStoreClient;

/**
 * Fetchers that send one client request after request, each with one under way. They run in an executor.
 *
 * <p><b>Ownership:</b> owns its threads; buffers go back as soon as the reader has seen them.
 */
final class FetchLoad implements AutoCloseable {
    private final BlockStoreClient client;
    private final List<FetchRequests.Request> requests;
    private final BiConsumer<String, ManagedBuffer> reader;
    private final int fetchers;
    private final ExecutorService threads;
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong blocks = new AtomicLong();

    /** @param reader sees every block, on the thread that delivers it */
    FetchLoad(
            BlockStoreClient client,
            List<FetchRequests.Request> requests,
            int fetchers,
            BiConsumer<String, ManagedBuffer> reader) {
        this.client = client;
        this.requests = requests;
        this.reader = reader;
        this.fetchers = fetchers;
        this.threads = Executors.newFixedThreadPool(fetchers);
    }

    /** Fetches each request once. */
    long[] once() {
        int all = requests.size();
        return run(() -> next.get() < all);
    }

    /** Repeats the requests as often as there is time for, and starts none after this time. */
    long[] duringNanos(long nanos) {
        long end = System.nanoTime() + nanos;
        return run(() -> System.nanoTime() - end < 0);
    }

    long bytes() {
        return bytes.get();
    }

    long blocks() {
        return blocks.get();
    }

    /** Returns how long each request took. */
    private long[] run(BooleanSupplier goOn) {
        List<Future<List<Long>>> running = new ArrayList<>();
        for (int fetcher = 0; fetcher < fetchers; fetcher++) {
            running.add(threads.submit(() -> fetchWhile(goOn)));
        }
        return running.stream().flatMapToLong(FetchLoad::nanosOf).toArray();
    }

    private static LongStream nanosOf(Future<List<Long>> fetcher) {
        try {
            return fetcher.get().stream().mapToLong(Long::longValue);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    private List<Long> fetchWhile(BooleanSupplier goOn) throws InterruptedException {
        List<Long> nanos = new ArrayList<>();
        while (goOn.getAsBoolean()) {
            long start = System.nanoTime();
            fetch(requests.get(Math.floorMod(next.getAndIncrement(), requests.size())));
            nanos.add(System.nanoTime() - start);
        }
        return nanos;
    }

    private void fetch(FetchRequests.Request request) throws InterruptedException {
        Answers answers = new Answers(request.blockIds().size());
        client.fetchBlocks(
                request.server().host(),
                request.server().port(),
                request.server().executorId(),
                request.blockIds().toArray(String[]::new),
                answers,
                null);
        answers.await();
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }

    private final class Answers implements BlockFetchingListener {
        private final CountDownLatch open;
        private final AtomicReference<Throwable> failure = new AtomicReference<>();

        Answers(int count) {
            open = new CountDownLatch(count);
        }

        void await() throws InterruptedException {
            open.await();
            if (failure.get() != null) {
                throw new IllegalStateException(failure.get());
            }
        }

        @Override
        public void onBlockFetchSuccess(String blockId, ManagedBuffer buffer) {
            bytes.addAndGet(buffer.size());
            blocks.incrementAndGet();
            try {
                reader.accept(blockId, buffer);
            } catch (RuntimeException e) {
                failure.set(e);
            }
            open.countDown();
        }

        @Override
        public void onBlockFetchFailure(String blockId, Throwable cause) {
            failure.set(cause);
            open.countDown();
        }
    }
}
