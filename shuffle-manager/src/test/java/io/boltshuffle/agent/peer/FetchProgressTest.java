package io.boltshuffle.agent.peer;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.agent.cable.ActiveLink;
import io.boltshuffle.agent.cable.LinkMeter;
import io.boltshuffle.agent.fetch.FetchOrder;
import io.boltshuffle.agent.fetch.FetchReceiver;
import io.boltshuffle.agent.fetch.PullClient;
import io.boltshuffle.agent.serve.SimPullCable;
import io.boltshuffle.rdma.link.Link;
import io.boltshuffle.rdma.link.LinkCounters;
import io.boltshuffle.rdma.link.LinkState;
import io.boltshuffle.rdma.link.Offer;
import io.boltshuffle.rdma.link.OfferListener;
import io.boltshuffle.rdma.link.RangePart;
import io.boltshuffle.rdma.link.Transfer;
import io.boltshuffle.rdma.link.TransferFailure;
import io.boltshuffle.rdma.link.TransferListener;
import io.boltshuffle.rdma.memory.Lease;
import io.boltshuffle.rdma.memory.LeaseOwner;
import io.boltshuffle.testing.SimLoop;
import io.boltshuffle.wire.BlockFailure;
import io.boltshuffle.wire.BlockRange;
import io.boltshuffle.wire.BlockSlice;
import io.boltshuffle.wire.ControlMessage;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.Opaque;
import io.boltshuffle.wire.Stripe;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Shows how long a fetch may take, in virtual time: windows of one block of 64 KiB come one after the other over one
 * link.
 */
class FetchProgressTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(1);
    private static final int BLOCK_BYTES = 64 << 10;
    private static final int BLOCKS = 100;

    /** A little faster than the slowest that is allowed, at which a block takes 62.5 ms. */
    private static final Duration FAST_ENOUGH = Duration.ofMillis(60);

    private final Path directory;
    private final SimLoop loop = new SimLoop();
    private final Deque<ControlMessage.Pull> asked = new ArrayDeque<>();
    private final Deque<TransferListener> moving = new ArrayDeque<>();
    private final Received received = new Received();
    private TrustFixture fixture;
    private PullClient client;

    FetchProgressTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @BeforeEach
    void start() throws Exception {
        fixture = new TrustFixture(directory, Map.of());
        ActiveLink link = new ActiveLink(1, new OneWayLink(), SimPullCable.SimRange::new, null, new LinkMeter());
        client = new PullClient(fixture.services("here", 1, loop).fetching(), () -> List.of(link), this::hear);
        FetchOrder order = new FetchOrder(
                TrustFixture.APPLICATION,
                "there",
                "1",
                new LeaseOwner("a task"),
                loop.nanoTime(),
                TIMEOUT.toNanos(),
                Collections.nCopies(BLOCKS, new BlockRange(0, 0, 0, 1)));
        client.start(order, received);
    }

    /** The pool refuses to close while anything is out. */
    @AfterEach
    void allMemoryIsBack() throws Exception {
        assertThat(client.fetchCount()).isZero();
        fixture.close();
    }

    private void hear(ControlMessage message) {
        if (message instanceof ControlMessage.Pull pull) {
            asked.add(pull);
        }
    }

    /** The peer answers the oldest pull with its first block, which takes its time to come. */
    private void bringOne(Duration time) throws Exception {
        ControlMessage.Pull pull = asked.remove();
        List<BlockSlice> slices = List.of(new BlockSlice(0, 0, BLOCK_BYTES, BLOCK_BYTES));
        List<Stripe> stripes = List.of(new Stripe(1, BLOCK_BYTES, offer()));
        client.onReady(new ControlMessage.Ready(pull.pullId(), slices, List.of(), "", stripes));
        loop.advance(time);
        if (!moving.isEmpty()) {
            moving.remove().onVerified();
            loop.run();
        }
    }

    private static Opaque offer() {
        ByteBuffer encoded = ByteBuffer.allocate(44 + Integer.BYTES);
        encoded.putLong(0).putLong(1).putLong(BLOCK_BYTES).putInt(BLOCK_BYTES);
        return Opaque.of(encoded.putLong(0).putInt(0).putInt(1).array());
    }

    @Test
    void aFetchThatGoesOnMayTakeLongerThanItsTimeout() throws Exception {
        for (int i = 0; i < BLOCKS; i++) {
            bringOne(FAST_ENOUGH);
        }
        assertThat(received.done).isTrue();
        assertThat(received.blocks).isEqualTo(BLOCKS);
        assertThat(Duration.ofNanos(loop.nanoTime())).isGreaterThan(TIMEOUT.multipliedBy(5));
    }

    @Test
    void oneThatStopsInTheMiddleEndsATimeoutLater() throws Exception {
        for (int i = 0; i < BLOCKS / 2; i++) {
            bringOne(FAST_ENOUGH);
        }
        loop.advance(TIMEOUT.minusMillis(1));
        assertThat(received.failure).isNull();
        loop.advance(Duration.ofMillis(1));
        assertThat(received.failure).isEqualTo(FailureReason.DEADLINE);
    }

    @Test
    void oneThatOnlyTricklesEnds() throws Exception {
        for (int i = 0; i < BLOCKS && received.failure == null; i++) {
            bringOne(Duration.ofMillis(200));
        }
        assertThat(received.failure).isEqualTo(FailureReason.DEADLINE);
        assertThat(Duration.ofNanos(loop.nanoTime())).isLessThan(TIMEOUT.multipliedBy(2));
    }

    /** Its peer keeps what it staged until then. */
    @Test
    void aPullBehindAnotherHasTheTimeOfBoth() throws Exception {
        ControlMessage.Pull first = asked.element();
        assertThat(first.request().timeoutMillis()).isEqualTo(1000);
        bringOne(FAST_ENOUGH);
        ControlMessage.Pull second = asked.element();
        assertThat(second.request().timeoutMillis()).isEqualTo(2000);
        client.close(FailureReason.STOPPING, "the test is over");
    }

    private static final class Received implements FetchReceiver {
        private int blocks;
        private boolean done;
        private @Nullable FailureReason failure;

        @Override
        public boolean isWanted() {
            return true;
        }

        @Override
        public void onStarted(Runnable cancel) {
            // This fetch is never called off.
        }

        @Override
        public void onBlocks(Lease lease, List<BlockSlice> slices) {
            blocks += slices.size();
            lease.release();
        }

        @Override
        public void onBlockFailures(List<BlockFailure> failures, String detail) {
            throw new AssertionError("no block fails");
        }

        @Override
        public void onDone() {
            done = true;
        }

        @Override
        public void onFailed(FailureReason reason, String detail) {
            failure = reason;
        }
    }

    /** Keeps transfers until the test ends them. */
    private final class OneWayLink implements Link {
        @Override
        public LinkState state() {
            return LinkState.UP;
        }

        @Override
        public int offerMessageBytes() {
            return BLOCK_BYTES;
        }

        @Override
        public boolean isSummed() {
            return true;
        }

        @Override
        public Offer offer(RangePart source, int @Nullable [] checksums, OfferListener listener) {
            throw new IllegalStateException("nothing is served here");
        }

        @Override
        public void withdraw(Offer offer) {
            throw new IllegalStateException("nothing was offered");
        }

        @Override
        public Transfer fetch(Offer.Part part, RangePart destination, long deadlineNanos, TransferListener listener) {
            assertThat(deadlineNanos).isGreaterThan(loop.nanoTime());
            moving.add(listener);
            return () -> {
                if (moving.remove(listener)) {
                    listener.onFailed(new TransferFailure(TransferFailure.Reason.CANCELLED, "cancelled", null));
                }
            };
        }

        @Override
        public void onMessage(ByteBuffer message) {
            throw new IllegalStateException("this link needs no messages");
        }

        @Override
        public void onChannelLost(String reason) {
            // It stays up.
        }

        @Override
        public void onPortLost(String reason) {
            // It stays up.
        }

        @Override
        public LinkCounters counters() {
            return new LinkCounters(0, 0, 0, 0, 0, 0, 0);
        }

        @Override
        public void close(long deadlineNanos) {
            // Nothing is left to close.
        }
    }
}
