package io.boltshuffle.agent.peer;

import io.boltshuffle.agent.cable.ActiveLink;
import io.boltshuffle.agent.cable.LinkMeter;
import io.boltshuffle.agent.cable.PortStatus;
import io.boltshuffle.agent.cable.Ports;
import io.boltshuffle.agent.serve.Step;
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
import io.boltshuffle.rdma.link.TransferListener;
import io.boltshuffle.wire.PortFacts;
import io.boltshuffle.wire.PortName;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One port, cabled to the other agent's. The exploration says when it is found; its links come up once they hear of
 * each other.
 */
final class TrustPorts implements Ports {

    private static final PortName PORT = new PortName("rdma_en0", 1);
    private static final int MESSAGE_BYTES = 64 << 10;

    private final PortFacts facts;
    private final List<CompletableFuture<List<PortFacts>>> lookingFor = new ArrayList<>();
    private int openLinks;

    TrustPorts(String host, String facing) {
        facts = new PortFacts(PORT, "FAKE", host, facing, List.of(), List.of());
    }

    /** Links that are not ended. */
    int openLinks() {
        return openLinks;
    }

    void addSteps(String host, Consumer<Step> steps) {
        if (!lookingFor.isEmpty()) {
            steps.accept(
                    Step.of(host + " finds its port", () -> lookingFor.remove(0).complete(List.of(facts))));
        }
    }

    @Override
    public CompletableFuture<List<PortFacts>> discover() {
        CompletableFuture<List<PortFacts>> found = new CompletableFuture<>();
        lookingFor.add(found);
        return found;
    }

    @Override
    public CompletableFuture<ActiveLink> open(PortName port, int linkId, OutOfBand channel, LinkListener listener) {
        openLinks++;
        channel.send(ByteBuffer.wrap(new byte[] {1}));
        return CompletableFuture.completedFuture(new ActiveLink(
                linkId,
                new TrustLink(listener),
                lease -> {
                    throw new AssertionError("there are no blocks");
                },
                null,
                new LinkMeter()));
    }

    @Override
    public String provider() {
        return "fake";
    }

    @Override
    public List<PortStatus> status() {
        return List.of();
    }

    @Override
    public void close() {
        // Links end with their connections.
    }

    /** Never moves a byte. */
    private final class TrustLink implements Link {
        private final LinkListener listener;
        private LinkState state = LinkState.EXCHANGING;

        TrustLink(LinkListener listener) {
            this.listener = listener;
        }

        @Override
        public LinkState state() {
            return state;
        }

        @Override
        public void onMessage(ByteBuffer message) {
            if (state == LinkState.EXCHANGING) {
                state = LinkState.UP;
                Gid gid = Gid.of(new byte[Gid.BYTES]);
                listener.onUp(new LinkReport(
                        "fake",
                        LinkMode.SEND,
                        gid,
                        gid,
                        new GrantedDepth(1, 1),
                        new Candidate(MESSAGE_BYTES, MESSAGE_BYTES),
                        MESSAGE_BYTES,
                        List.of()));
            }
        }

        @Override
        public void onChannelLost(String reason) {
            if (!state.isFinal()) {
                state = LinkState.CLOSED;
                openLinks--;
                listener.onDown(
                        new LinkFailure(LinkFailure.Reason.CHANNEL_LOST, reason, LinkFailure.Retry.BACK_OFF, null));
                listener.onEnded(LinkState.CLOSED);
            }
        }

        @Override
        public void onPortLost(String reason) {
            throw new AssertionError("ports stay");
        }

        @Override
        public int offerMessageBytes() {
            return 1;
        }

        @Override
        public boolean isSummed() {
            return true;
        }

        @Override
        public Offer offer(RangePart source, int @Nullable [] checksums, OfferListener letGo) {
            throw new AssertionError("there are no blocks");
        }

        @Override
        public void withdraw(Offer offer) {
            throw new AssertionError("there are no blocks");
        }

        @Override
        public Transfer fetch(Offer.Part part, RangePart destination, long deadlineNanos, TransferListener to) {
            throw new AssertionError("there are no blocks");
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
}
