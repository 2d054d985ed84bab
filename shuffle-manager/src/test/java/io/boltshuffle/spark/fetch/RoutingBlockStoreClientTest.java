package io.boltshuffle.spark.fetch;

import static io.boltshuffle.spark.meter.FallbackReason.BLOCK_KIND;
import static io.boltshuffle.spark.meter.FallbackReason.BLOCK_NOT_FOUND;
import static io.boltshuffle.spark.meter.FallbackReason.NO_AGENT;
import static io.boltshuffle.spark.meter.FallbackReason.TRANSPORT_ERROR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.codahale.metrics.Counter;
import io.boltshuffle.client.ClientCounters;
import io.boltshuffle.spark.RecordingListener;
import io.boltshuffle.spark.TestClock;
import io.boltshuffle.spark.meter.FallbackReason;
import io.boltshuffle.spark.meter.ShuffleMetrics;
import io.boltshuffle.spark.report.FetchLatency;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Stream;
import org.apache.spark.network.shuffle.BlockStoreClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RoutingBlockStoreClientTest {
    private static final String A = "shuffle_0_1_2";
    private static final String B = "shuffle_0_3_2";
    private static final String C = "shuffle_0_4_2_5";
    private static final String CHUNK = "shuffleChunk_0_0_2_1";

    private final FakeNetty netty = new FakeNetty();
    private final FakeTransport rdma = new FakeTransport();
    private final RecordingListener spark = new RecordingListener();
    private final ShuffleMetrics metrics = new ShuffleMetrics(new ClientCounters());
    private final Queue<Runnable> fallbacks = new ArrayDeque<>();
    private final TestClock clock = new TestClock();
    private final FetchServices services =
            new FetchServices(netty, rdma, metrics, new RouteLog(), new FallbackLanes(fallbacks::add), clock);
    private final RoutingBlockStoreClient client = client(services);

    @Test
    void whatTheTransportRefusesGoesByNettyInOneRequest() {
        rdma.onRefusal = () -> Optional.of(NO_AGENT);

        fetch(A, B, C);

        assertThat(netty.requests()).hasSize(1);
        assertThat(netty.requests().get(0).source()).isEqualTo(new BlockSource("host-b", 7337, "exec-1"));
        assertThat(spark.succeeded()).containsExactly(A, B, C);
        assertThat(rdma.requests).isEmpty();
        assertThat(count("fallbacks.no_agent")).isEqualTo(3);
        assertThat(count("bytes.netty")).isEqualTo(3 * FakeNetty.BLOCK_BYTES);
        assertThat(count("blocks.netty")).isEqualTo(3);
        assertThat(count("fetches.netty")).isEqualTo(1);
        assertThat(count("bytes.rdma")).isZero();
    }

    @Test
    void whatNobodyRefusesGoesByRdmaAndNotByNetty() {
        rdma.behaviour = request -> {
            request.receiver().delivered(0, FakeNetty.block(7));
            request.receiver().delivered(1, FakeNetty.block(7));
        };

        fetch(A, B);

        assertThat(spark.succeeded()).containsExactly(A, B);
        assertThat(netty.requests()).isEmpty();
        assertThat(count("bytes.rdma")).isEqualTo(14);
        assertThat(count("blocks.rdma")).isEqualTo(2);
        assertThat(count("fetches.rdma")).isEqualTo(1);
        assertThat(count("fetches.netty")).isZero();
    }

    @Test
    void chunksOfMergedFilesGoByNettyAndTheRestByRdma() {
        fetch(A, CHUNK, B);

        assertThat(rdma.requests).extracting(FakeTransport.Request::blockIds).containsExactly(List.of(A, B));
        assertThat(netty.requestedBlocks()).containsExactly(CHUNK);
        assertThat(count("fallbacks.block_kind")).isEqualTo(1);
    }

    @Test
    void blocksHandedBackGoByNettyWithinTheSameFetch() {
        fetch(A, B, C);
        RdmaTransport.Receiver receiver = rdma.requests.get(0).receiver();

        receiver.delivered(0, FakeNetty.block(7));
        receiver.handedBack(1, TRANSPORT_ERROR, "cable pulled");
        receiver.handedBack(2, TRANSPORT_ERROR, "cable pulled");
        runFallbacks();

        assertThat(spark.succeeded()).containsExactly(A, B, C);
        assertThat(spark.failed()).isEmpty();
        assertThat(netty.requests()).as("requests for what came back together").hasSize(1);
        assertThat(netty.requestedBlocks()).containsExactly(B, C);
        assertThat(count("fallbacks.transport_error")).isEqualTo(2);
        assertThat(count("blocks.rdma")).isEqualTo(1);
        assertThat(count("blocks.netty")).isEqualTo(2);
    }

    @Test
    void blocksThatComeBackLaterOrForAnotherReasonAreAskedForBesides() {
        fetch(A, B, C);
        RdmaTransport.Receiver receiver = rdma.requests.get(0).receiver();

        receiver.handedBack(2, TRANSPORT_ERROR, "cable pulled");
        receiver.handedBack(1, NO_AGENT, "stopped");
        runFallbacks();
        receiver.handedBack(0, TRANSPORT_ERROR, "cable pulled");
        runFallbacks();

        assertThat(netty.requests()).hasSize(3);
        assertThat(spark.succeeded()).containsExactlyInAnyOrder(A, B, C);
        assertThat(count("fallbacks.no_agent")).isEqualTo(1);
    }

    @Test
    void aBlockDeliveredTwiceIsHeardOfOnce() {
        fetch(A, B);
        RdmaTransport.Receiver receiver = rdma.requests.get(0).receiver();

        receiver.delivered(0, FakeNetty.block(7));
        receiver.delivered(0, FakeNetty.block(7));
        receiver.handedBack(0, TRANSPORT_ERROR, "too late");
        runFallbacks();

        assertThat(spark.succeeded()).containsExactly(A);
        assertThat(netty.requests()).isEmpty();
        assertThat(count("blocks.rdma")).isEqualTo(1);
        assertThat(count("fallbacks.transport_error")).isZero();
    }

    @Test
    void aBlockThatArrivesAfterItWasHandedBackIsPassedOver() {
        fetch(A);
        RdmaTransport.Receiver receiver = rdma.requests.get(0).receiver();

        receiver.handedBack(0, TRANSPORT_ERROR, "deadline");
        receiver.delivered(0, FakeNetty.block(7));
        runFallbacks();

        assertThat(spark.succeeded()).containsExactly(A);
        assertThat(count("blocks.rdma")).isZero();
        assertThat(count("blocks.netty")).isEqualTo(1);
    }

    @Test
    void blocksThatWereNeverAskedForArePassedOver() {
        fetch(A);

        rdma.requests.get(0).receiver().delivered(1, FakeNetty.block(7));
        rdma.requests.get(0).receiver().delivered(-1, FakeNetty.block(7));

        assertThat(spark.succeeded()).isEmpty();
    }

    @Test
    void whatATransportLeavesWhenItThrowsGoesByNetty() {
        rdma.behaviour = request -> {
            request.receiver().delivered(0, FakeNetty.block(7));
            throw new IllegalStateException("a defect");
        };

        fetch(A, B);
        runFallbacks();

        assertThat(spark.succeeded()).containsExactly(A, B);
        assertThat(netty.requestedBlocks()).containsExactly(B);
        assertThat(count("fallbacks.transport_error")).isEqualTo(1);
    }

    @Test
    void aTransportThatThrowsWhenAskedCountsAsRefusing() {
        rdma.onRefusal = () -> {
            throw new NoClassDefFoundError("com/sun/jna/Native");
        };

        fetch(A);

        assertThat(spark.succeeded()).containsExactly(A);
        assertThat(count("fallbacks.transport_error")).isEqualTo(1);
    }

    @Test
    void aFailureOfNettyReachesSparkUnchangedAndOnce() {
        rdma.onRefusal = () -> Optional.of(NO_AGENT);
        IOException cause = new IOException("connection reset");
        netty.behave(request -> {
            request.listener().onBlockFetchSuccess(A, FakeNetty.block(7));
            request.listener().onBlockFetchFailure(B, cause);
            request.listener().onBlockFetchFailure(B, cause);
            request.listener().onBlockFetchSuccess(B, FakeNetty.block(7));
        });

        fetch(A, B);

        assertThat(spark.succeeded()).containsExactly(A);
        assertThat(spark.failed()).containsExactly(B);
        assertThat(count("failures")).isEqualTo(1);
    }

    @Test
    void whatNettyThrowsOnTheTasksThreadIsTheTasksToHandle() {
        rdma.onRefusal = () -> Optional.of(NO_AGENT);
        netty.behave(request -> {
            throw new AssertionError("Called before init()");
        });

        assertThatThrownBy(() -> fetch(A)).isInstanceOf(AssertionError.class);
        assertThat(spark.failed()).isEmpty();
    }

    @Test
    void whatNettyThrowsOnAThreadOfOursFailsTheBlocksThatItLeft() {
        netty.behave(request -> {
            request.listener().onBlockFetchSuccess(A, FakeNetty.block(7));
            throw new AssertionError("Called before init()");
        });
        fetch(A, B);

        rdma.requests.get(0).receiver().handedBack(0, TRANSPORT_ERROR, "cable pulled");
        rdma.requests.get(0).receiver().handedBack(1, TRANSPORT_ERROR, "cable pulled");
        runFallbacks();

        assertThat(spark.succeeded()).containsExactly(A);
        assertThat(spark.failed()).containsExactly(B);
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void whenNoThreadTakesTheFallbackTheBlocksFailAtOnce(Executor refusing) {
        RoutingBlockStoreClient stopped =
                client(new FetchServices(netty, rdma, metrics, new RouteLog(), new FallbackLanes(refusing), clock));
        stopped.fetchBlocks("host-b", 7337, "exec-1", new String[] {A, B}, spark, null);

        rdma.requests.get(0).receiver().handedBack(0, TRANSPORT_ERROR, "closing");
        rdma.requests.get(0).receiver().handedBack(1, TRANSPORT_ERROR, "closing");

        assertThat(spark.failed()).containsExactlyInAnyOrder(A, B);
    }

    @Test
    void blocksThatCannotFallBackForWantOfMemoryFail() {
        fetch(A, B);
        rdma.requests.get(0).receiver().handedBack(0, TRANSPORT_ERROR, "cable pulled");
        rdma.requests.get(0).receiver().handedBack(1, TRANSPORT_ERROR, "cable pulled");

        clock.failWith(new OutOfMemoryError("as a leg is made"));
        runFallbacks();

        assertThat(spark.failed()).containsExactly(A, B);
        assertThat(netty.requests()).isEmpty();
    }

    @Test
    void aBlockThatCannotBeCountedForWantOfMemoryIsDelivered() {
        fetch(A, B);
        clock.failWith(new OutOfMemoryError("as a time is taken"));

        rdma.requests.get(0).receiver().delivered(0, FakeNetty.block(7));
        rdma.requests.get(0).receiver().delivered(1, FakeNetty.block(7));

        assertThat(spark.succeeded()).containsExactly(A, B);
    }

    static Stream<Executor> refusals() {
        return Stream.of(
                task -> {
                    throw new RejectedExecutionException("stopped");
                },
                task -> {
                    throw new OutOfMemoryError("unable to create native thread");
                });
    }

    @Test
    void outputsThatOnlySparksClientFindsAreSparedFurtherRequestsByRdma() {
        fetch(A, B);
        handBack(0, BLOCK_NOT_FOUND);
        handBack(1, BLOCK_NOT_FOUND);
        runFallbacks();

        fetch(C, "shuffle_1_0_0");

        assertThat(rdma.requests.get(1).blockIds()).containsExactly("shuffle_1_0_0");
        assertThat(spark.succeeded()).containsExactly(A, B, C);
        assertThat(count("fallbacks.block_not_found")).isEqualTo(3);

        client.fetchBlocks("host-c", 7337, "exec-2", new String[] {A}, spark, null);
        assertThat(rdma.requests.get(2).blockIds()).as("of another host").containsExactly(A);
    }

    @Test
    void outputsOfWhichRdmaFindsABlockOrThatNobodyFindsAreAskedForAgain() {
        fetch(A, B);
        rdma.requests.get(0).receiver().delivered(0, FakeNetty.block(7));
        handBack(1, BLOCK_NOT_FOUND);
        runFallbacks();
        netty.behave(request ->
                request.blockIds().forEach(id -> request.listener().onBlockFetchFailure(id, new IOException("gone"))));
        fetch(B);
        rdma.requests.get(1).receiver().handedBack(0, BLOCK_NOT_FOUND, "no file");
        runFallbacks();

        fetch(C);

        assertThat(rdma.requests).hasSize(3);
        assertThat(spark.failed()).containsExactly(B);
    }

    private void handBack(int block, FallbackReason reason) {
        rdma.requests.get(0).receiver().handedBack(block, reason, "no file");
    }

    @Test
    void theLatencyOfAFetchRunsToItsLastBlock() {
        fetch(A, B);
        RdmaTransport.Receiver receiver = rdma.requests.get(0).receiver();

        receiver.delivered(0, FakeNetty.block(7));
        assertThat(metrics.metricRegistry().timer("latency.rdma").getCount()).isZero();
        clock.advance(5_000_000);
        receiver.delivered(1, FakeNetty.block(7));

        assertThat(metrics.metricRegistry().timer("latency.rdma").getSnapshot().getValues())
                .containsExactly(5_000_000);
        assertThat(metrics.traffic().latency().get("rdma"))
                .extracting(FetchLatency::meanBytes)
                .isEqualTo(14L);
    }

    @Test
    void aFetchThatRdmaHandsBackIsNoTimeOfAFetchByRdma() {
        fetch(A, B);
        RdmaTransport.Receiver receiver = rdma.requests.get(0).receiver();

        receiver.delivered(0, FakeNetty.block(7));
        clock.advance(5_000_000);
        receiver.handedBack(1, TRANSPORT_ERROR, "cable pulled");
        runFallbacks();

        assertThat(metrics.metricRegistry().timer("latency.rdma").getCount()).isZero();
        assertThat(metrics.metricRegistry().timer("latency.netty").getCount()).isEqualTo(1);
        assertThat(count("fetches.rdma")).isEqualTo(1);
    }

    @Test
    void aHostIsReachedByRdmaAsLongAsNobodyRefusesIt() {
        assertThat(client.goesByRdma("host-b")).isTrue();

        rdma.onRefusal = () -> Optional.of(NO_AGENT);

        assertThat(client.goesByRdma("host-b")).isFalse();
        assertThat(rdma.requests).isEmpty();
        assertThat(netty.requests()).isEmpty();
    }

    @Test
    void aRefusedPlanNamesTheFirstPolicyThatRefused() {
        FetchPlan plan = new FetchPlan("host-b", List.of(A, CHUNK));

        FetchPolicies.blockKinds().review(plan);
        plan.refuseAll(NO_AGENT);

        assertThat(plan.candidates()).isEmpty();
        assertThat(plan.refused()).containsOnlyKeys(BLOCK_KIND, NO_AGENT);
        assertThat(plan.refused().get(BLOCK_KIND)).containsExactly(CHUNK);
        assertThat(plan.hostRefusal()).contains(NO_AGENT);
    }

    @Test
    void everyPublicMethodOfSparksClientIsOurs() {
        assertThat(Arrays.stream(BlockStoreClient.class.getDeclaredMethods())
                        .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic()))
                .isNotEmpty()
                .allSatisfy(method ->
                        assertThat(overriding(method).getDeclaringClass()).isEqualTo(RoutingBlockStoreClient.class));
    }

    private static Method overriding(Method method) throws NoSuchMethodException {
        return RoutingBlockStoreClient.class.getMethod(method.getName(), method.getParameterTypes());
    }

    private static RoutingBlockStoreClient client(FetchServices services) {
        return new RoutingBlockStoreClient(
                services,
                List.of(
                        FetchPolicies.blockKinds(),
                        services.elsewhere(),
                        FetchPolicies.transportAvailability(services.transport())));
    }

    private void fetch(String... blockIds) {
        client.fetchBlocks("host-b", 7337, "exec-1", blockIds, spark, null);
    }

    private void runFallbacks() {
        for (Runnable task = fallbacks.poll(); task != null; task = fallbacks.poll()) {
            task.run();
        }
    }

    private long count(String metric) {
        Counter counter = metrics.metricRegistry().getCounters().get(metric);
        assertThat(counter).as(metric).isNotNull();
        return counter.getCount();
    }
}
