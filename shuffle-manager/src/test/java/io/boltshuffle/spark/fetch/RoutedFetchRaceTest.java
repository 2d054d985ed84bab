package io.boltshuffle.spark.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.client.ClientCounters;
import io.boltshuffle.spark.RecordingListener;
import io.boltshuffle.spark.meter.FallbackReason;
import io.boltshuffle.spark.meter.ShuffleMetrics;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.spark.util.SystemClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Answers of all kinds race for the same blocks, as when a deadline and a completion meet. */
class RoutedFetchRaceTest {
    private static final int BLOCKS = 200;
    private static final int THREADS = 4;

    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS + 1);

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    static IntStream seeds() {
        return IntStream.rangeClosed(1, 20);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whateverTheOrderOfAnswersEachBlockIsHeardOfOnce(int seed) throws Exception {
        List<String> blockIds = IntStream.range(0, BLOCKS)
                .mapToObj(map -> "shuffle_0_" + map + "_0")
                .toList();
        FakeNetty netty = new FakeNetty();
        FakeTransport rdma = new FakeTransport();
        ShuffleMetrics metrics = new ShuffleMetrics(new ClientCounters());
        RecordingListener spark = new RecordingListener();
        CountDownLatch legs = new CountDownLatch(BLOCKS);
        netty.behave(request -> request.blockIds().forEach(id -> {
            request.listener().onBlockFetchSuccess(id, FakeNetty.block(1));
            legs.countDown();
        }));
        FetchServices services =
                new FetchServices(netty, rdma, metrics, new RouteLog(), new FallbackLanes(threads), new SystemClock());
        new RoutedFetch(services, new BlockSource("host-b", 1, "exec-1"), spark, null)
                .start(new FetchPlan("host-b", blockIds));

        List<Future<?>> answers = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            Random random = new Random(seed * 31L + thread);
            answers.add(threads.submit(() -> answerAll(rdma.requests.get(0).receiver(), random)));
        }
        for (Future<?> answer : answers) {
            answer.get(10, TimeUnit.SECONDS);
        }
        long byRdma = metrics.metricRegistry().counter("blocks.rdma").getCount();
        for (long taken = 0; taken < byRdma; taken++) {
            legs.countDown();
        }

        assertThat(legs.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(spark.succeeded()).as("seed %d", seed).containsExactlyInAnyOrderElementsOf(blockIds);
        assertThat(metrics.metricRegistry().counter("fetches.rdma").getCount()).isEqualTo(1);
        assertThat(byRdma + metrics.metricRegistry().counter("blocks.netty").getCount())
                .isEqualTo(BLOCKS);
    }

    private static void answerAll(RdmaTransport.Receiver receiver, Random random) {
        List<Integer> shuffled =
                new ArrayList<>(IntStream.range(0, BLOCKS).boxed().toList());
        java.util.Collections.shuffle(shuffled, random);
        for (int block : shuffled) {
            if (random.nextBoolean()) {
                receiver.delivered(block, FakeNetty.block(1));
            } else {
                receiver.handedBack(block, FallbackReason.TRANSPORT_ERROR, "raced");
            }
        }
    }
}
