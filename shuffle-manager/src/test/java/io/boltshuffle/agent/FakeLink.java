package io.boltshuffle.agent;

import io.boltshuffle.rdma.Gid;
import io.boltshuffle.rdma.GrantedDepth;
import io.boltshuffle.rdma.link.Candidate;
import io.boltshuffle.rdma.link.Link;
import io.boltshuffle.rdma.link.LinkCounters;
import io.boltshuffle.rdma.link.LinkFailure;
import io.boltshuffle.rdma.link.LinkListener;
import io.boltshuffle.rdma.link.LinkMode;
import io.boltshuffle.rdma.link.LinkReport;
import io.boltshuffle.rdma.link.LinkState;
import io.boltshuffle.rdma.link.Offer;
import io.boltshuffle.rdma.link.OfferListener;
import io.boltshuffle.rdma.link.OutOfBand;
import io.boltshuffle.rdma.link.RangePart;
import io.boltshuffle.rdma.link.Transfer;
import io.boltshuffle.rdma.link.TransferFailure;
import io.boltshuffle.rdma.link.TransferListener;
import io.boltshuffle.testing.SimOffers;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A link that copies within this JVM. Its events come on the fabric's thread, as a real link's come on its poller. */
final class FakeLink implements Link {

    private final FakeFabric fabric;
    private final String device;
    private final OutOfBand channel;
    private final LinkListener listener;
    private final Set<FakeTransfer> open = ConcurrentHashMap.newKeySet();
    private final Set<Long> ownOffers = ConcurrentHashMap.newKeySet();
    private volatile LinkState state = LinkState.EXCHANGING;

    FakeLink(FakeFabric fabric, String device, OutOfBand channel, LinkListener listener) {
        this.fabric = fabric;
        this.device = device;
        this.channel = channel;
        this.listener = listener;
    }

    void greet() {
        fabric.onPoller(() -> channel.send(ByteBuffer.wrap(new byte[] {1})));
    }

    @Override
    public LinkState state() {
        return state;
    }

    @Override
    public void onMessage(ByteBuffer message) {
        fabric.onPoller(() -> {
            if (state == LinkState.EXCHANGING) {
                state = LinkState.UP;
                Gid gid = Gid.of(new byte[Gid.BYTES]);
                Candidate chosen = new Candidate(SimOffers.MESSAGE_BYTES, SimOffers.MESSAGE_BYTES);
                listener.onUp(new LinkReport(
                        device,
                        LinkMode.SEND,
                        gid,
                        gid,
                        new GrantedDepth(1, 1),
                        chosen,
                        SimOffers.MESSAGE_BYTES,
                        List.of()));
            }
        });
    }

    @Override
    public void onChannelLost(String reason) {
        fabric.onPoller(() -> down(failure(LinkFailure.Reason.CHANNEL_LOST, reason)));
    }

    @Override
    public void onPortLost(String reason) {
        fabric.onPoller(() -> down(failure(LinkFailure.Reason.PORT_NOT_ACTIVE, reason)));
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
    public Offer offer(RangePart source, int @Nullable [] checksums, OfferListener letGo) {
        source.range().retain();
        long token = fabric.offer(source);
        ownOffers.add(token);
        return SimOffers.of(token, source.bytes());
    }

    @Override
    public void withdraw(Offer offer) {
        ownOffers.remove(SimOffers.token(offer));
        fabric.onPoller(() -> fabric.withdraw(SimOffers.token(offer)));
    }

    @Override
    public Transfer fetch(Offer.Part part, RangePart destination, long deadlineNanos, TransferListener to) {
        destination.range().retain();
        FakeTransfer transfer = new FakeTransfer(destination, to);
        open.add(transfer);
        fabric.onPoller(() -> move(part, transfer));
        return transfer;
    }

    @Override
    public LinkCounters counters() {
        return new LinkCounters(0, 0, 0, 0, 0, 0, 0);
    }

    @Override
    public void close(long deadlineNanos) {
        fabric.onPoller(() -> down(null));
    }

    private void move(Offer.Part part, FakeTransfer transfer) {
        if (fabric.behaviour() == FakeFabric.Behaviour.SILENT) {
            return;
        }
        if (state != LinkState.UP || !fabric.isOffered(SimOffers.token(part.offer()))) {
            transfer.fail(new TransferFailure(TransferFailure.Reason.OFFER_WITHDRAWN, "gone", null));
            return;
        }
        if (fabric.behaviour() == FakeFabric.Behaviour.CORRUPTS) {
            down(failure(LinkFailure.Reason.CHECKSUM_MISMATCH, "message 0 is not what was offered"));
            return;
        }
        RangePart source = fabric.offered(SimOffers.token(part.offer()));
        RangePart to = transfer.destination;
        to.range().slice(to.offset(), (int) to.bytes()).put(source.range().slice(source.offset(), (int)
                source.bytes()));
        transfer.verified();
    }

    private void down(@Nullable LinkFailure failure) {
        if (state.isFinal()) {
            return;
        }
        state = LinkState.CLOSED;
        open.forEach(transfer ->
                transfer.fail(new TransferFailure(TransferFailure.Reason.LINK_DOWN, "the link went down", failure)));
        ownOffers.forEach(fabric::withdraw);
        listener.onDown(failure);
        listener.onEnded(LinkState.CLOSED);
    }

    private static LinkFailure failure(LinkFailure.Reason reason, String message) {
        return new LinkFailure(reason, message, LinkFailure.Retry.BACK_OFF, null);
    }

    /** A copy that is to be made. Its state changes on the fabric's thread only. */
    private final class FakeTransfer implements Transfer {
        private final RangePart destination;
        private final TransferListener to;

        FakeTransfer(RangePart destination, TransferListener to) {
            this.destination = destination;
            this.to = to;
        }

        @Override
        public void cancel() {
            fabric.onPoller(() -> fail(new TransferFailure(TransferFailure.Reason.CANCELLED, "cancelled", null)));
        }

        void verified() {
            if (open.remove(this)) {
                destination.range().release();
                to.onVerified();
            }
        }

        void fail(TransferFailure failure) {
            if (open.remove(this)) {
                destination.range().release();
                to.onFailed(failure);
            }
        }
    }
}
