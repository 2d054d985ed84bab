package io.boltshuffle.rdma.link.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.rdma.link.LinkMode;
import io.boltshuffle.rdma.link.Offer;
import io.boltshuffle.rdma.link.RangePart;
import io.boltshuffle.rdma.link.Transfer;
import io.boltshuffle.rdma.link.TransferFailure;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The work that the asking thread does itself: here, while no thread polls either side. */
class DoneAtOnceTest {

    private static final int SERVER = 0;
    private static final int READER = 1;
    private static final int MESSAGES = 2;
    private static final long PATIENCE_NANOS = Duration.ofSeconds(10).toNanos();

    private final SimWorld world = new SimWorld(1);
    private final SimPair pair = new SimPair(world, SimFaults.none(), SimPair.options(LinkMode.SEND));
    private SimMemory.SimRange source;
    private Offer offer;
    private int arrivedBefore;

    @BeforeEach
    void linksAreUp() {
        pair.runFor(Duration.ofSeconds(5).toNanos());
        QueuePairLink server = pair.end(SERVER).link();
        source = pair.end(SERVER).memory().lease("source", MESSAGES * server.offerMessageBytes());
        source.fill(world);
        offer = server.offer(RangePart.all(source), null, () -> {});
        arrivedBefore = pair.arrived(READER);
    }

    private Transfer fetch() {
        return pair.fetch(READER, offer, 0, offer.bytes(), source.copy(), world.now() + PATIENCE_NANOS, () -> {});
    }

    @Test
    void anOfferATransferAndItsGoNeedNoPoller() {
        Transfer unused = fetch();

        letPollersSleep();

        assertThat(pair.arrived(READER) - arrivedBefore).isEqualTo(MESSAGES);
        pair.end(READER).poll();
        assertThat(pair.transfers().get(0).isVerified()).isTrue();
        close();
    }

    @Test
    void anOfferIsLetGoOfWithoutThePollerOnceTheDeviceIsDoneWithIt() {
        Transfer unused = fetch();
        letPollersSleep();
        pair.end(READER).poll();

        assertThat(source.isHome())
                .as("the completions of the sends were not looked at")
                .isFalse();
        pair.end(SERVER).link().withdraw(offer);

        assertThat(source.isHome()).isTrue();
        close();
    }

    @Test
    void anOfferThatIsWithdrawnBeforeItsGoComesIsNotSent() {
        Transfer unused = fetch();
        pair.end(SERVER).link().withdraw(offer);

        letPollersSleep();

        assertThat(source.isHome()).isTrue();
        assertThat(pair.arrived(READER)).isEqualTo(arrivedBefore);
        close();
        assertThat(pair.transfers().get(0).reason()).isEqualTo(TransferFailure.Reason.OFFER_WITHDRAWN);
    }

    @Test
    void whatWasAskedForBeforeComesFirst() {
        Transfer transfer = fetch();
        pair.end(SERVER).link().onPortLost("pulled");

        letPollersSleep();

        assertThat(pair.arrived(READER))
                .as("the loss of the port is not seen yet")
                .isEqualTo(arrivedBefore);
        transfer.cancel();
        close();
        assertThat(pair.transfers().get(0).endings()).isEqualTo(1);
    }

    @Test
    void aTransferThatIsAskedForByACallbackWaitsForThePoller() {
        Transfer unused =
                pair.fetch(READER, offer, 0, offer.bytes(), source.copy(), world.now() + PATIENCE_NANOS, this::fetch);
        letPollersSleep();

        pair.end(READER).poll();

        assertThat(pair.transfers()).hasSize(2);
        assertThat(pair.transfers().get(0).isVerified()).isTrue();
        letPollersSleep();
        assertThat(pair.arrived(READER) - arrivedBefore)
                .as("the round that the callback was part of is over")
                .isEqualTo(MESSAGES);
        pair.end(READER).poll();
        letPollersSleep();
        pair.end(READER).poll();
        assertThat(pair.transfers().get(1).isVerified()).isTrue();
        close();
    }

    private void letPollersSleep() {
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
