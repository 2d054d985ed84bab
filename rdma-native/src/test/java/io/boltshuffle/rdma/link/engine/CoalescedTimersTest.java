package io.boltshuffle.rdma.link.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.rdma.link.LinkMode;
import io.boltshuffle.rdma.link.LinkState;
import io.boltshuffle.rdma.link.Offer;
import io.boltshuffle.rdma.link.move.Deadlines;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Pollers whose sleeps take longer than they asked for: macOS lets timers wait for each other, by milliseconds, in a
 * process that it takes for one in the background. Links become slower and nothing else.
 */
class CoalescedTimersTest {
    private static final int SERVER = 0;
    private static final int READER = 1;
    private static final long PATIENCE_NANOS = Duration.ofSeconds(30).toNanos();

    @ParameterizedTest
    @CsvSource({"SEND, 1", "SEND, 10", "SEND, 100", "READ, 1", "READ, 10", "READ, 100"})
    void aPollerThatSleepsTooLongIsOnlySlower(LinkMode mode, int lateMillis) {
        SimPair pair = new SimPair(new SimWorld(7), SimFaults.none(), SimPair.options(mode));
        long lateNanos = Duration.ofMillis(lateMillis).toNanos();
        QueuePairLink server = pair.end(SERVER).link();
        QueuePairLink reader = pair.end(READER).link();

        run(pair, lateNanos, () -> server.state() == LinkState.UP && reader.state() == LinkState.UP);
        Offer offer = pair.offer(SERVER, 64 * server.offerMessageBytes(), /* precomputed= */ true);
        pair.fetch(
                READER,
                offer,
                0,
                offer.bytes(),
                pair.lastOffered(),
                pair.world().now() + PATIENCE_NANOS,
                () -> {});
        run(pair, lateNanos, () -> pair.transfers().get(0).endings() > 0);

        assertThat(pair.transfers().get(0).isVerified()).isTrue();
        server.close(pair.world().now() + PATIENCE_NANOS);
        reader.close(pair.world().now() + PATIENCE_NANOS);
        run(pair, lateNanos, pair::isOver);
        assertThat(pair.end(SERVER).failure()).isNull();
        assertThat(pair.end(READER).failure()).isNull();
        pair.assertSettled();
    }

    /** Runs both ends, which look late: messages that come meanwhile are there when they look. */
    private static void run(SimPair pair, long lateNanos, BooleanSupplier enough) {
        SimWorld world = pair.world();
        while (!enough.getAsBoolean()) {
            boolean worked = pair.end(SERVER).poll();
            worked |= pair.end(READER).poll();
            if (!worked) {
                Long deadline = Deadlines.earlier(
                        pair.end(SERVER).link().nextDeadlineNanos(),
                        pair.end(READER).link().nextDeadlineNanos());
                Long next = Deadlines.earlier(world.nextNanos(), deadline);
                if (next == null) {
                    throw new AssertionError(
                            pair.end(SERVER).link() + " and " + pair.end(READER).link() + " hang");
                }
                world.advanceTo(Math.max(next, world.now()) + lateNanos);
            }
        }
    }
}
