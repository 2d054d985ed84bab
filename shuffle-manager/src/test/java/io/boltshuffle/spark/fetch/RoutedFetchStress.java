package io.boltshuffle.spark.fetch;

import io.boltshuffle.client.ClientCounters;
import io.boltshuffle.spark.meter.FallbackReason;
import io.boltshuffle.spark.meter.ShuffleMetrics;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.shuffle.BlockFetchingListener;
import org.apache.spark.util.SystemClock;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** Answers to one fetch, as a completion, a deadline and a lost agent bring them at once. */
public final class RoutedFetchStress {

    private static final String ONE = "shuffle_0_0_0";
    private static final String OTHER = "shuffle_0_1_0";
    private static final ShuffleMetrics METRICS = new ShuffleMetrics(new ClientCounters()); // too large for one each

    private RoutedFetchStress() {}

    /** Shows a block that the task hears of twice, by RDMA and by TCP, or never. */
    @JCStressTest
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE)
    @State
    public static class AnswersMeet implements BlockFetchingListener {
        private final AtomicInteger one = new AtomicInteger();
        private final AtomicInteger other = new AtomicInteger();
        private final RdmaTransport.Receiver receiver;

        public AnswersMeet() {
            FakeTransport rdma = new FakeTransport();
            FetchServices services = new FetchServices(
                    new FakeNetty(),
                    rdma,
                    METRICS,
                    new RouteLog(),
                    new FallbackLanes(Runnable::run),
                    new SystemClock());
            new RoutedFetch(services, new BlockSource("host-b", 1, "exec-1"), this, null)
                    .start(new FetchPlan("host-b", List.of(ONE, OTHER)));
            receiver = rdma.requests.get(0).receiver();
        }

        @Actor
        public void completion() {
            receiver.delivered(0, FakeNetty.block(1));
            receiver.delivered(1, FakeNetty.block(1));
        }

        @Actor
        public void deadline() {
            receiver.handedBack(1, FallbackReason.DEADLINE, "at the same moment");
            receiver.handedBack(0, FallbackReason.DEADLINE, "at the same moment");
        }

        @Override
        public void onBlockFetchSuccess(String blockId, ManagedBuffer data) {
            (blockId.equals(ONE) ? one : other).incrementAndGet();
        }

        @Override
        public void onBlockFetchFailure(String blockId, Throwable cause) {
            throw new AssertionError(cause);
        }

        @Arbiter
        public void after(II_Result result) {
            result.r1 = one.get();
            result.r2 = other.get();
        }
    }

    /** Shows a fetch that is counted as finished twice or never, because two threads take its last blocks. */
    @JCStressTest
    @Outcome(id = "1", expect = Expect.ACCEPTABLE)
    @State
    public static class LastBlocksMeet {
        private final AtomicInteger finished = new AtomicInteger();
        private final OutstandingBlocks outstanding = new OutstandingBlocks(2, finished::incrementAndGet);

        @Actor
        public void completion() {
            outstanding.take(0);
            outstanding.take(1);
        }

        @Actor
        public void deadline() {
            outstanding.take(1);
            outstanding.take(0);
        }

        @Arbiter
        public void after(I_Result result) {
            result.r1 = finished.get();
        }
    }
}
