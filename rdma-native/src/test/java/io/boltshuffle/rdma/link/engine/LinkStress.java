package io.boltshuffle.rdma.link.engine;

import io.boltshuffle.rdma.link.Candidate;
import io.boltshuffle.rdma.link.LinkMode;
import io.boltshuffle.rdma.link.LinkOptions;
import io.boltshuffle.rdma.link.Offer;
import io.boltshuffle.rdma.link.RangePart;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/**
 * A link's poller and the threads that bring messages and ask for transfers. The fabric below is simulated and knows no
 * threads: it breaks if two are in it at once.
 */
public final class LinkStress {

    private static final int MEMORY_BYTES = 256 << 10;
    private static final int SERVER = 0;
    private static final int READER = 1;
    private static final long SETUP_NANOS = Duration.ofSeconds(1).toNanos();
    private static final long PATIENCE_NANOS = Duration.ofSeconds(10).toNanos();

    private LinkStress() {}

    private static SimPair upPair() {
        LinkOptions options = SimPair.shallow(LinkMode.SEND)
                .withCandidates(List.of(new Candidate(4096, 16 << 10)), Duration.ofMillis(1));
        SimPair pair = new SimPair(new SimWorld(1), SimFaults.none(), options, MEMORY_BYTES);
        pair.runFor(SETUP_NANOS);
        return pair;
    }

    private static void fetch(SimPair pair, int messages) {
        int bytes = messages * pair.end(SERVER).link().offerMessageBytes();
        Offer offer = pair.offer(SERVER, bytes, /* precomputed= */ true);
        pair.end(SERVER).poll();
        pair.fetch(READER, offer, 0, bytes, pair.lastOffered(), pair.world().now() + PATIENCE_NANOS, () -> {});
        pair.end(READER).poll();
    }

    private static void close(SimPair pair) {
        pair.end(SERVER).link().close(pair.world().now() + PATIENCE_NANOS);
        pair.end(READER).link().close(pair.world().now() + PATIENCE_NANOS);
        pair.settle();
        pair.assertSettled();
    }

    /**
     * Shows a GO that is served while the poller is at the link, or that neither of the two serves: messages then are
     * lost, or arrive in memory that waits for others.
     */
    @JCStressTest
    @Outcome(id = "verified, verified", expect = Expect.ACCEPTABLE)
    @State
    public static class GosMeetPoller {
        private final SimPair pair = upPair();
        private final List<ByteBuffer> gos;

        public GosMeetPoller() {
            gos = pair.holdMessagesTo(SERVER);
            fetch(pair, 2);
            fetch(pair, 1);
            fetch(pair, 1);
            for (Long next = pair.world().nextNanos();
                    next != null;
                    next = pair.world().nextNanos()) {
                pair.world().advanceTo(next);
            }
        }

        @Actor
        public void channel() {
            gos.forEach(pair.end(SERVER).link()::onMessage);
        }

        @Actor
        public void poller() {
            pair.end(SERVER).poll();
        }

        @Arbiter
        public void after(LL_Result result) {
            pair.letMessagesPass();
            close(pair);
            result.r1 = outcome(pair.transfers().get(0));
            result.r2 = pair.transfers().stream()
                    .skip(1)
                    .map(GosMeetPoller::outcome)
                    .distinct()
                    .collect(Collectors.joining(" and "));
        }

        private static String outcome(SimTransfer transfer) {
            return transfer.isVerified() ? "verified" : String.valueOf(transfer.reason());
        }
    }

    /**
     * Shows a transfer that is begun, or an offer that is taken back, by another thread while the poller is at the
     * link: a transfer then may never be looked at, or memory go back while the device reads it, or never.
     */
    @JCStressTest
    @Outcome(id = "verified, home", expect = Expect.ACCEPTABLE)
    @State
    public static class RequestsMeetPoller {
        private final SimPair pair = upPair();
        private final QueuePairLink link = pair.end(SERVER).link();
        private final SimMemory.SimRange served = pair.end(SERVER).memory().lease("served", 4096);
        private final SimMemory.SimRange destination = pair.end(SERVER).memory().lease("destination", 4096);
        private final SimTransfer transfer;
        private final Offer.Part part;
        private final Offer old;

        public RequestsMeetPoller() {
            old = link.offer(RangePart.all(served), null, () -> {});
            pair.fetch(READER, old, 0, 4096, served.copy(), pair.world().now() + PATIENCE_NANOS, () -> {});
            part = pair.offer(READER, 4096, /* precomputed= */ true).part(0, 4096);
            transfer = new SimTransfer(destination, pair.lastOffered(), () -> {});
            for (Long next = pair.world().nextNanos();
                    next != null;
                    next = pair.world().nextNanos()) {
                pair.world().advanceTo(next);
            }
        }

        @Actor
        public void anyThread() {
            link.withdraw(old);
            link.fetch(part, RangePart.all(destination), pair.world().now() + PATIENCE_NANOS, transfer);
        }

        @Actor
        public void poller() {
            pair.end(SERVER).poll();
        }

        @Arbiter
        public void after(LL_Result result) {
            pair.runFor(SETUP_NANOS);
            close(pair);
            result.r1 = transfer.isVerified() ? "verified" : String.valueOf(transfer.reason());
            result.r2 = served.isHome() && destination.isHome() ? "home" : "lost";
        }
    }

    /** Shows a transfer or an offer, made as the link ends, that is never answered or whose memory never comes back. */
    @JCStressTest
    @Outcome(id = "LINK_NOT_UP, home", expect = Expect.ACCEPTABLE, desc = "refused")
    @Outcome(id = "LINK_DOWN, home", expect = Expect.ACCEPTABLE, desc = "taken, then failed")
    @State
    public static class RequestsMeetEnd {
        private final SimPair pair = upPair();
        private final QueuePairLink link = pair.end(SERVER).link();
        private final SimMemory.SimRange source = pair.end(SERVER).memory().lease("source", 4096);
        private final SimMemory.SimRange destination = pair.end(SERVER).memory().lease("destination", 4096);
        private final SimTransfer transfer = new SimTransfer(destination, new byte[4096], () -> {});
        private final Offer.Part part;

        public RequestsMeetEnd() {
            part = pair.offer(READER, 4096, /* precomputed= */ true).part(0, 4096);
            link.onChannelLost("the connection was reset");
            pair.end(SERVER).poll();
            pair.world().advanceTo(pair.world().now() + Duration.ofSeconds(1).toNanos());
        }

        @Actor
        public void anyThread() {
            link.offer(RangePart.all(source), null, () -> {});
            link.fetch(part, RangePart.all(destination), pair.world().now() + PATIENCE_NANOS, transfer);
        }

        @Actor
        public void poller() {
            pair.end(SERVER).poll();
        }

        @Arbiter
        public void after(LL_Result result) {
            close(pair);
            result.r1 = String.valueOf(transfer.reason());
            result.r2 = source.isHome() && destination.isHome() ? "home" : "lost";
        }
    }
}
