package io.boltshuffle.spark.fetch;

import io.boltshuffle.client.ClientCounters;
import io.boltshuffle.spark.NeverWorseTest.Case;
import io.boltshuffle.spark.NeverWorseTest.Cost;
import io.boltshuffle.spark.NeverWorseTest.Shuffle;
import io.boltshuffle.spark.NeverWorseTest.Watched;
import io.boltshuffle.spark.RecordingListener;
import io.boltshuffle.spark.meter.FallbackReason;
import io.boltshuffle.spark.meter.ShuffleMetrics;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.shuffle.BlockFetchingListener;
import org.apache.spark.network.shuffle.BlockStoreClient;
import org.apache.spark.util.SystemClock;

/**
 * Measures what fetching from other hosts costs: the same calls go to Spark's own client, and to the plugin's in front
 * of it, whose transport does what a case says.
 */
public final class FetchCosts {
    private static final int BLOCKS = 50;
    private static final int FETCHES = 20;
    private static final int DEADLINE_SECONDS = 30;

    private FetchCosts() {}

    public static Stream<Case> cases() {
        return Stream.of(
                new Case(
                        Watched.THREADS,
                        "threads that fetches start whose blocks come",
                        with(FetchCosts::deliver, (client, netty) -> threads(client))),
                new Case(
                        Watched.WAITING,
                        "fetches that hold the thread of a task while a host is dead",
                        with(FetchCosts::handBack, FetchCosts::heldTasks)),
                new Case(
                        Watched.FAILURES,
                        "blocks of a host that dies half way of which a task hears twice or never",
                        with(FetchCosts::handBack, FetchCosts::blocksNotHeardOfOnce)),
                new Case(
                        Watched.FAILURES,
                        "blocks that a task waits for though Netty broke",
                        with(FetchCosts::handBack, FetchCosts::blocksWithoutAnAnswer)));
    }

    private interface FetchCost {
        long of(BlockStoreClient client, FakeNetty netty) throws Exception;
    }

    private static Cost with(FakeTransport.Behaviour transport, FetchCost cost) {
        return (shuffle, directory) -> {
            FakeNetty netty = new FakeNetty();
            if (shuffle == Shuffle.STOCK) {
                return cost.of(netty, netty);
            }
            FakeTransport rdma = new FakeTransport();
            rdma.behaviour = transport;
            try (FallbackLanes lanes = FallbackLanes.open()) {
                FetchServices services = new FetchServices(
                        netty,
                        rdma,
                        new ShuffleMetrics(new ClientCounters()),
                        new RouteLog(),
                        lanes,
                        new SystemClock());
                return cost.of(
                        new RoutingBlockStoreClient(
                                services,
                                List.of(FetchPolicies.blockKinds(), FetchPolicies.transportAvailability(rdma))),
                        netty);
            }
        };
    }

    private static void deliver(FakeTransport.Request request) {
        for (int block = 0; block < request.blockIds().size(); block++) {
            request.receiver().delivered(block, FakeNetty.block(1));
        }
    }

    private static void handBack(FakeTransport.Request request) {
        for (int block = 0; block < request.blockIds().size(); block++) {
            request.receiver().handedBack(block, FallbackReason.LINK_FAILED, "cable pulled");
        }
    }

    private static String[] blocks() {
        return IntStream.range(0, BLOCKS)
                .mapToObj(map -> "shuffle_0_" + map + "_0")
                .toArray(String[]::new);
    }

    private static final AtomicLong STARTED = new AtomicLong();

    /** A thread that is made by one that has a value here counts. */
    private static final InheritableThreadLocal<Boolean> MARK = new InheritableThreadLocal<>() {
        @Override
        protected Boolean childValue(Boolean ofTheTask) {
            STARTED.incrementAndGet();
            return ofTheTask;
        }
    };

    private static long threads(BlockStoreClient client) {
        STARTED.set(0);
        MARK.set(true);
        try {
            for (int fetch = 0; fetch < FETCHES; fetch++) {
                client.fetchBlocks("host-b", 1, "1", blocks(), new RecordingListener(), null);
            }
        } finally {
            MARK.remove();
        }
        return STARTED.get();
    }

    /** Netty connects on the thread that fetches. */
    private static long heldTasks(BlockStoreClient client, FakeNetty netty) throws Exception {
        CountDownLatch givesUp = new CountDownLatch(1);
        AtomicLong held = new AtomicLong();
        Thread task = Thread.currentThread();
        netty.behave(request -> {
            if (Thread.currentThread() == task) {
                held.incrementAndGet();
            } else {
                await(givesUp);
            }
            request.blockIds().forEach(id -> request.listener().onBlockFetchFailure(id, new RuntimeException("dead")));
        });
        for (int fetch = 0; fetch < FETCHES; fetch++) {
            client.fetchBlocks("dead", 1, "1", blocks(), new RecordingListener(), null);
        }
        givesUp.countDown();
        return held.get();
    }

    private static long blocksNotHeardOfOnce(BlockStoreClient client, FakeNetty netty) throws Exception {
        CountDownLatch over = new CountDownLatch(BLOCKS);
        netty.behave(request -> request.blockIds().forEach(id -> {
            if (id.hashCode() % 2 == 0) {
                request.listener().onBlockFetchSuccess(id, FakeNetty.block(1));
            } else {
                request.listener().onBlockFetchFailure(id, new RuntimeException("dead"));
            }
            over.countDown();
        }));
        RecordingListener task = new RecordingListener();
        client.fetchBlocks("host-b", 1, "1", blocks(), task, null);
        await(over);
        List<String> heard = Stream.concat(task.succeeded().stream(), task.failed().stream())
                .sorted()
                .toList();
        return heard.equals(Stream.of(blocks()).sorted().toList()) ? 0 : Math.abs(BLOCKS - heard.size()) + 1;
    }

    /** Spark's own client throws on the thread of the task, which ends with it. */
    private static long blocksWithoutAnAnswer(BlockStoreClient client, FakeNetty netty) throws Exception {
        CountDownLatch told = new CountDownLatch(BLOCKS);
        netty.behave(request -> {
            throw new IllegalStateException("closed");
        });
        RecordingListener task = new RecordingListener();
        try {
            client.fetchBlocks("host-b", 1, "1", blocks(), new CountingListener(task, told), null);
        } catch (IllegalStateException e) {
            return 0;
        }
        await(told);
        return (long) BLOCKS - task.failed().size();
    }

    private record CountingListener(RecordingListener task, CountDownLatch told) implements BlockFetchingListener {
        @Override
        public void onBlockFetchSuccess(String blockId, ManagedBuffer data) {
            task.onBlockFetchSuccess(blockId, data);
            told.countDown();
        }

        @Override
        public void onBlockFetchFailure(String blockId, Throwable exception) {
            task.onBlockFetchFailure(blockId, exception);
            told.countDown();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            if (!latch.await(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("nothing came");
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
