package io.boltshuffle.agent.serve;

import io.boltshuffle.agent.cable.ActiveLink;
import io.boltshuffle.agent.cable.LinkMeter;
import io.boltshuffle.agent.cable.LinkSet;
import io.boltshuffle.rdma.link.Link;
import io.boltshuffle.rdma.link.LinkCounters;
import io.boltshuffle.rdma.link.LinkState;
import io.boltshuffle.rdma.link.Offer;
import io.boltshuffle.rdma.link.OfferListener;
import io.boltshuffle.rdma.link.RangePart;
import io.boltshuffle.rdma.link.Transfer;
import io.boltshuffle.rdma.link.TransferFailure;
import io.boltshuffle.rdma.link.TransferFailure.Reason;
import io.boltshuffle.rdma.link.TransferListener;
import io.boltshuffle.rdma.memory.Lease;
import io.boltshuffle.testing.KeylessRange;
import io.boltshuffle.testing.SimLoop;
import io.boltshuffle.testing.SimOffers;
import io.boltshuffle.wire.Stripe;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A cable whose links do all that {@link Link} allows, when they are told: transfers end in any order, links go down at
 * one end first, and a link holds memory on after a transfer failed, writing into it until it lets go.
 */
public final class SimPullCable {

    private static final byte GARBAGE = -1;

    private final List<SimTransfer> transfers = new ArrayList<>();
    private final List<SimOffer> offers = new ArrayList<>();
    private final SimEnd reader;
    private final SimEnd server;
    private long nextToken;

    public SimPullCable(SimLoop readerLoop, SimLoop serverLoop) {
        this.reader = new SimEnd(readerLoop);
        this.server = new SimEnd(serverLoop);
    }

    public SimEnd reader() {
        return reader;
    }

    public SimEnd server() {
        return server;
    }

    /** Adds the steps that the cable may do next by itself. */
    public void addSteps(Consumer<Step> steps) {
        for (SimTransfer transfer : List.copyOf(transfers)) {
            transfer.addSteps(steps);
        }
        for (SimOffer offer : List.copyOf(offers)) {
            if (offer.withdrawn || !server.up) {
                steps.accept(Step.of("server lets go of offer " + offer.token, offer::letGo));
            }
        }
        if (reader.up != server.up) {
            steps.accept(Step.of("the other end goes down", (reader.up ? reader : server)::goDown));
        }
    }

    /** Fetches a stripe into memory of this fixture, and lets all end that ends by itself. */
    byte[] fetched(Stripe stripe, PullFixture fixture) {
        Lease into = fixture.lease(stripe.bytes());
        Offer offer = Offer.decode(ByteBuffer.wrap(stripe.offer().toBytes()));
        List<String> told = new ArrayList<>();
        RangePart destination = RangePart.all(new SimRange(into));
        reader().fetch(offer.all(), destination, Long.MAX_VALUE, new TransferListener() {
            @Override
            public void onVerified() {
                told.add("verified");
            }

            @Override
            public void onFailed(TransferFailure failure) {
                told.add(failure.message());
            }
        });
        letGo();
        if (!told.equals(List.of("verified"))) {
            throw new AssertionError(told.toString());
        }
        byte[] bytes = new byte[(int) stripe.bytes()];
        into.view(0, bytes.length).get(bytes);
        into.release();
        return bytes;
    }

    /** Lets the cable do what it does by itself. */
    void letGo() {
        addSteps(step -> {
            if (!step.disturbing()) {
                step.action().run();
            }
        });
    }

    public void assertQuiet() {
        if (!transfers.isEmpty() || !offers.isEmpty()) {
            throw new AssertionError(transfers.size() + " transfers and " + offers.size() + " offers are left");
        }
    }

    private @Nullable SimOffer offerOf(long token) {
        return offers.stream().filter(offer -> offer.token == token).findFirst().orElse(null);
    }

    /** A range that one end lets the other fetch. */
    private final class SimOffer {
        private final long token = nextToken++;
        private final RangePart source;
        private boolean withdrawn;

        SimOffer(RangePart source) {
            this.source = source;
            source.range().retain();
        }

        void letGo() {
            offers.remove(this);
            source.range().release();
        }
    }

    private enum Phase {
        MOVING,
        CANCELLING,
        /** Its listener was told; the device may write on. */
        FAILED
    }

    private final class SimTransfer implements Transfer {
        private final long token;
        private final RangePart into;
        private final TransferListener listener;
        private Phase phase = Phase.MOVING;

        SimTransfer(long token, RangePart into, TransferListener listener) {
            this.token = token;
            this.into = into;
            this.listener = listener;
            into.range().retain();
        }

        @Override
        public void cancel() {
            if (phase == Phase.MOVING) {
                phase = Phase.CANCELLING;
            }
        }

        void addSteps(Consumer<Step> steps) {
            if (phase == Phase.FAILED) {
                steps.accept(Step.of("reader lets go of transfer " + token, this::letGo));
                return;
            }
            SimOffer offer = offerOf(token);
            if (offer != null && !offer.withdrawn && server.up) {
                steps.accept(Step.of("transfer " + token + " is verified", () -> verify(offer)));
            } else if (server.up) {
                steps.accept(Step.of("transfer " + token + " finds nothing", () -> fail(Reason.OFFER_WITHDRAWN)));
            }
            if (phase == Phase.CANCELLING) {
                steps.accept(Step.of("transfer " + token + " is cancelled", () -> fail(Reason.CANCELLED)));
            }
            steps.accept(Step.disturbing("transfer " + token + " is late", () -> fail(Reason.DEADLINE)));
        }

        private void verify(SimOffer offer) {
            int bytes = (int) into.bytes();
            into.range().slice(into.offset(), bytes).put(offer.source.range().slice(offer.source.offset(), bytes));
            transfers.remove(this);
            into.range().release();
            listener.onVerified();
        }

        private void fail(Reason reason) {
            phase = Phase.FAILED;
            listener.onFailed(new TransferFailure(reason, reason.name(), null));
        }

        private void letGo() {
            ByteBuffer late = into.range().slice(into.offset(), (int) into.bytes());
            while (late.hasRemaining()) {
                late.put(GARBAGE);
            }
            transfers.remove(this);
            into.range().release();
        }
    }

    /** One end of the cable, with the agent's view of it. */
    public final class SimEnd implements Link, LinkSet {
        private final SimLoop loop;
        private boolean up = true;
        private List<ActiveLink> known = List.of(new ActiveLink(1, this, SimRange::new, null, new LinkMeter()));

        SimEnd(SimLoop loop) {
            this.loop = loop;
        }

        @Override
        public List<ActiveLink> up() {
            return known;
        }

        public boolean isUp() {
            return up;
        }

        /** Takes the link down on its own thread: the agent learns of it on its loop. */
        public void goDown() {
            up = false;
            if (this == reader) {
                List<SimTransfer> moving = transfers.stream()
                        .filter(each -> each.phase != Phase.FAILED)
                        .toList();
                moving.forEach(transfer -> transfer.fail(Reason.LINK_DOWN));
            }
            loop.execute(() -> known = List.of());
        }

        @Override
        public LinkState state() {
            return up ? LinkState.UP : LinkState.CLOSED;
        }

        @Override
        public int offerMessageBytes() {
            return SimOffers.MESSAGE_BYTES;
        }

        @Override
        public boolean isSummed() {
            return true;
        }

        @Override
        public Offer offer(RangePart source, int @Nullable [] checksums, OfferListener listener) {
            long token = up ? addOffer(source) : nextToken++;
            return SimOffers.of(token, source.bytes());
        }

        private long addOffer(RangePart source) {
            SimOffer offer = new SimOffer(source);
            offers.add(offer);
            return offer.token;
        }

        @Override
        public void withdraw(Offer offer) {
            SimOffer known = offerOf(SimOffers.token(offer));
            if (known != null) {
                known.withdrawn = true;
            }
        }

        @Override
        public Transfer fetch(Offer.Part part, RangePart destination, long deadlineNanos, TransferListener listener) {
            if (!up) {
                listener.onFailed(new TransferFailure(Reason.LINK_NOT_UP, "down", null));
                return () -> {};
            }
            SimTransfer transfer = new SimTransfer(SimOffers.token(part.offer()), destination, listener);
            transfers.add(transfer);
            return transfer;
        }

        @Override
        public void onMessage(ByteBuffer message) {
            throw new IllegalStateException("this cable needs no messages");
        }

        @Override
        public void onChannelLost(String reason) {
            if (up) {
                goDown();
            }
        }

        @Override
        public void onPortLost(String reason) {
            onChannelLost(reason);
        }

        @Override
        public LinkCounters counters() {
            return new LinkCounters(0, 0, 0, 0, 0, 0, 0);
        }

        @Override
        public void close(long deadlineNanos) {
            onChannelLost("closed");
        }
    }

    /** A lease as the simulated device sees it: memory that it reaches whatever becomes of the lease. */
    public static final class SimRange extends KeylessRange {
        private final ByteBuffer memory;

        public SimRange(Lease lease) {
            super(lease);
            memory = lease.view(0, (int) lease.bytes());
        }

        @Override
        public ByteBuffer slice(long offset, int bytes) {
            return memory.slice((int) offset, bytes);
        }
    }
}
