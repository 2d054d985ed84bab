package io.boltshuffle.spark.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.client.ClientCounters;
import io.boltshuffle.spark.RecordingListener;
import io.boltshuffle.spark.meter.FallbackReason;
import io.boltshuffle.spark.meter.ShuffleMetrics;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.spark.util.SystemClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Blocks that RDMA hands back while a host does not answer: Netty's client connects on the thread that starts the leg,
 * and a host that is gone holds it for two minutes. With Spark's client alone, each task waits for itself.
 */
@Timeout(60)
class FallbackLanesTest {

    private static final int FETCHES = 20;

    private final FakeNetty netty = new FakeNetty();
    private final FakeTransport rdma = new FakeTransport();
    private final FallbackLanes lanes = FallbackLanes.open();
    private final FetchServices services = new FetchServices(
            netty, rdma, new ShuffleMetrics(new ClientCounters()), new RouteLog(), lanes, new SystemClock());
    private final CountDownLatch deadHostIsTried = new CountDownLatch(1);
    private final CountDownLatch deadHostGivesUp = new CountDownLatch(1);

    @AfterEach
    void close() {
        deadHostGivesUp.countDown();
        lanes.close();
    }

    /** Starts fetches whose blocks RDMA hands back. */
    private RecordingListener handBack(String host, int port, int fetches, CountDownLatch answered) {
        RecordingListener spark = new RecordingListener();
        rdma.behaviour = request -> request.receiver().handedBack(0, FallbackReason.LINK_FAILED, "cable pulled");
        netty.behave(request -> {
            if (request.source().host().equals("dead")) {
                deadHostIsTried.countDown();
                awaitGivingUp();
            }
            request.blockIds().forEach(id -> request.listener().onBlockFetchSuccess(id, FakeNetty.block(1)));
            answered.countDown();
        });
        IntStream.range(0, fetches)
                .forEach(map -> new RoutedFetch(services, new BlockSource(host, port, "1"), spark, null)
                        .start(new FetchPlan(host, List.of("shuffle_0_" + map + "_0"))));
        return spark;
    }

    private void awaitGivingUp() {
        try {
            deadHostGivesUp.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aHostThatDoesNotAnswerDelaysNoOther() throws Exception {
        CountDownLatch healthy = new CountDownLatch(FETCHES);
        CountDownLatch dead = new CountDownLatch(2 * FETCHES);
        RecordingListener ofDead = handBack("dead", 1, FETCHES, dead);
        assertThat(deadHostIsTried.await(30, TimeUnit.SECONDS)).isTrue();

        RecordingListener ofHealthy = handBack("healthy", 1, FETCHES, healthy);

        assertThat(healthy.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(ofHealthy.succeeded()).hasSize(FETCHES);
        assertThat(ofDead.succeeded()).isEmpty();
        handBack("dead", 1, FETCHES, dead);
        deadHostGivesUp.countDown();
        assertThat(dead.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(ofDead.succeeded()).hasSize(FETCHES);
    }

    /** Spark's client does the same: one thread connects, the others find the result. */
    @Test
    void toOneAddressOneThreadConnects() throws Exception {
        CountDownLatch dead = new CountDownLatch(FETCHES);
        handBack("dead", 1, FETCHES, dead);
        assertThat(deadHostIsTried.await(30, TimeUnit.SECONDS)).isTrue();

        assertThat(netty.requests()).hasSize(1);
        deadHostGivesUp.countDown();

        assertThat(dead.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(netty.requestedBlocks()).hasSize(FETCHES);
    }
}
