package io.boltshuffle.rdma.link.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.rdma.link.LinkMode;
import io.boltshuffle.rdma.link.Offer;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server takes an offer back and closes, and its peer hears of both in one round. */
class OrderlyCloseTest {

    private static final int SERVER = 0;
    private static final int READER = 1;
    private static final long PATIENCE_NANOS = Duration.ofSeconds(10).toNanos();

    private final SimWorld world = new SimWorld(1);

    private SimPair startUp(LinkMode mode) {
        SimPair pair = new SimPair(world, SimFaults.none(), SimPair.options(mode));
        pair.runFor(Duration.ofSeconds(5).toNanos());
        return pair;
    }

    private static Offer offer(SimPair pair) {
        QueuePairLink server = pair.end(SERVER).link();
        Offer offer = pair.offer(SERVER, 2 * server.offerMessageBytes(), /* precomputed= */ true);
        pair.end(SERVER).poll();
        return offer;
    }

    @ParameterizedTest
    @EnumSource(LinkMode.class)
    void aWithdrawalBeforeTheCloseIsAnswered(LinkMode mode) {
        SimPair pair = startUp(mode);
        QueuePairLink server = pair.end(SERVER).link();
        Offer offer = offer(pair);

        server.withdraw(offer);
        server.close(world.now() + PATIENCE_NANOS);

        assertEndsInOrder(pair);
    }

    @ParameterizedTest
    @EnumSource(LinkMode.class)
    void aWithdrawalAfterTheCloseNeedsNoAnswer(LinkMode mode) {
        SimPair pair = startUp(mode);
        QueuePairLink server = pair.end(SERVER).link();
        Offer offer = offer(pair);

        server.close(world.now() + PATIENCE_NANOS);
        server.withdraw(offer);

        assertEndsInOrder(pair);
    }

    private void assertEndsInOrder(SimPair pair) {
        pair.end(SERVER).poll();
        letThePollerOfTheReaderSleep();
        pair.settle();
        assertThat(pair.end(SERVER).failure()).isNull();
        assertThat(pair.end(READER).failure()).isNull();
        pair.assertSettled();
    }

    private void letThePollerOfTheReaderSleep() {
        for (Long next = world.nextNanos(); next != null; next = world.nextNanos()) {
            world.advanceTo(next);
        }
    }
}
