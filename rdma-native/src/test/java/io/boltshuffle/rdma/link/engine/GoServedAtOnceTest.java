package io.boltshuffle.rdma.link.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.rdma.link.LinkMode;
import io.boltshuffle.rdma.link.Offer;
import io.boltshuffle.rdma.link.TransferFailure;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A GO is acted on by the thread that brings it: here, while no thread polls the serving side. */
class GoServedAtOnceTest {

    private static final int SERVER = 0;
    private static final int READER = 1;
    private static final int MESSAGES = 2;
    private static final long PATIENCE_NANOS = Duration.ofSeconds(10).toNanos();

    private final SimWorld world = new SimWorld(1);
    private final SimPair pair = new SimPair(world, SimFaults.none(), SimPair.options(LinkMode.SEND));
    private Offer offer;
    private int arrivedBefore;

    @BeforeEach
    void fetchBegins() {
        pair.runFor(Duration.ofSeconds(5).toNanos());
        QueuePairLink server = pair.end(SERVER).link();
        offer = pair.offer(SERVER, MESSAGES * server.offerMessageBytes(), /* precomputed= */ true);
        pair.end(SERVER).poll();
        arrivedBefore = pair.arrived(READER);
        pair.fetch(READER, offer, 0, offer.bytes(), pair.lastOffered(), world.now() + PATIENCE_NANOS, () -> {});
        pair.end(READER).poll();
    }

    @Test
    void aGrantIsServedWithoutThePoller() {
        letThePollerOfTheServerSleep();

        assertThat(pair.arrived(READER) - arrivedBefore).isEqualTo(MESSAGES);
        pair.end(READER).poll();
        assertThat(pair.transfers().get(0).isVerified()).isTrue();
        close();
    }

    @Test
    void whatWasAskedForBeforeComesFirst() {
        pair.end(SERVER).link().withdraw(offer);

        letThePollerOfTheServerSleep();

        assertThat(pair.arrived(READER)).as("the withdrawal is not taken yet").isEqualTo(arrivedBefore);
        close();
        assertThat(pair.transfers().get(0).reason()).isEqualTo(TransferFailure.Reason.OFFER_WITHDRAWN);
    }

    private void letThePollerOfTheServerSleep() {
        for (Long next = world.nextNanos(); next != null; next = world.nextNanos()) {
            world.advanceTo(next);
        }
    }

    private void close() {
        pair.end(SERVER).link().close(world.now() + PATIENCE_NANOS);
        pair.end(READER).link().close(world.now() + PATIENCE_NANOS);
        pair.settle();
        pair.assertSettled();
    }
}
