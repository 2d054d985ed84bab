package io.boltshuffle.rdma.link;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.boltshuffle.rdma.link.engine.QueuePairLink;
import io.boltshuffle.rdma.link.engine.TestLinks;
import io.boltshuffle.rdma.memory.Lease;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** This process's end of a link to a {@link ServingProcess}. */
final class RemoteLink implements LinkListener {

    /** Two JVMs and a kernel share what little a guest has. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final LinkHost host;
    private final QueuePairLink link;
    private final CompletableFuture<Offer> offer = new CompletableFuture<>();
    private final CompletableFuture<LinkState> ended = new CompletableFuture<>();

    RemoteLink(LinkHost host, ServingProcess server, LinkMode mode) {
        this.host = host;
        this.link = TestLinks.build(host.setup(server::send, this, options(mode), null), host.poller());
        TestLinks.start(link, host.poller());
        Thread reader = new Thread(() -> relay(server), "from-server");
        reader.setDaemon(true);
        reader.start();
    }

    static LinkOptions options(LinkMode mode) {
        return LinkOptions.defaults(mode)
                .withCandidates(List.of(new Candidate(64 << 10, 1 << 20)), Duration.ofMillis(20))
                .withTimeouts(Duration.ofSeconds(120), Duration.ofSeconds(20), Duration.ofSeconds(60));
    }

    private void relay(ServingProcess server) {
        for (ByteBuffer message = server.receive(); message != null; message = server.receive()) {
            if (message.hasRemaining()) {
                link.onMessage(message);
            } else {
                offer.complete(Offer.decode(Objects.requireNonNull(server.receive())));
            }
        }
        link.onChannelLost("the server's end of the pipe was closed");
    }

    @Override
    public void onUp(LinkReport report) {}

    @Override
    public void onDown(@Nullable LinkFailure failure) {
        offer.completeExceptionally(new IllegalStateException("down: " + failure));
    }

    @Override
    public void onEnded(LinkState end) {
        ended.complete(end);
    }

    Offer awaitOffer() throws Exception {
        return within(offer);
    }

    LinkState awaitEnd() throws Exception {
        return within(ended);
    }

    void close() throws Exception {
        link.close(System.nanoTime() + PATIENCE.toNanos());
        awaitEnd();
    }

    /** Fetches all of an offer; the lease stays the caller's. */
    Pull pull(Offer from, Lease destination) {
        Pull pull = new Pull();
        link.fetch(from.all(), RangePart.all(host.range(destination)), System.nanoTime() + PATIENCE.toNanos(), pull);
        return pull;
    }

    private static <T> T within(Future<T> future) throws Exception {
        return future.get(PATIENCE.toNanos(), NANOSECONDS);
    }

    /** How a fetch ended. */
    static final class Pull implements TransferListener {
        private final CompletableFuture<@Nullable TransferFailure> result = new CompletableFuture<>();

        @Override
        public void onVerified() {
            result.complete(null);
        }

        @Override
        public void onFailed(TransferFailure failure) {
            result.complete(failure);
        }

        void await() throws Exception {
            TransferFailure failure = within(result);
            if (failure != null) {
                throw new ExecutionException(new IllegalStateException(failure.toString()));
            }
        }

        TransferFailure awaitFailure() throws Exception {
            return Objects.requireNonNull(within(result), "the transfer succeeded");
        }
    }
}
