package io.boltshuffle.rdma.link;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.boltshuffle.rdma.link.engine.QueuePairLink;
import io.boltshuffle.rdma.link.engine.TestLinks;
import io.boltshuffle.rdma.memory.Lease;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Two hosts in one process, joined by a cable, whose links talk to each other directly. */
final class LinkPair {

    /** On emulated machines, tests and their links wait so many times as long as usual. */
    static final int DEADLINE_SCALE = Integer.getInteger("bolt.link.deadlineScale", 1);

    /** No wait in a test is longer. Generous, because machines that build are busy. */
    static final Duration PATIENCE = Duration.ofSeconds(60).multipliedBy(DEADLINE_SCALE);

    private final List<LinkHost> hosts;
    private final List<End> ends = List.of(new End(), new End());
    private final List<QueuePairLink> links;

    /** A link and what its owner was told. */
    private static final class End implements LinkListener {
        private final CompletableFuture<LinkReport> up = new CompletableFuture<>();
        private final CompletableFuture<Optional<LinkFailure>> down = new CompletableFuture<>();
        private final CompletableFuture<LinkState> ended = new CompletableFuture<>();

        @Override
        public void onUp(LinkReport report) {
            up.complete(report);
        }

        @Override
        public void onDown(@Nullable LinkFailure failure) {
            down.complete(Optional.ofNullable(failure));
            up.completeExceptionally(new IllegalStateException("down before up: " + failure));
        }

        @Override
        public void onEnded(LinkState end) {
            ended.complete(end);
        }
    }

    /** Starts a link at each end. */
    LinkPair(LinkHost first, LinkHost second, LinkOptions options, @Nullable ExecutorService checksums) {
        this.hosts = List.of(first, second);
        List<QueuePairLink> built = new ArrayList<>();
        for (int side = 0; side < 2; side++) {
            int other = 1 - side;
            OutOfBand channel = message -> built.get(other).onMessage(message);
            LinkParts setup = hosts.get(side).setup(channel, ends.get(side), options, checksums);
            built.add(TestLinks.build(setup, hosts.get(side).poller()));
        }
        links = List.copyOf(built);
        for (int side = 0; side < 2; side++) {
            TestLinks.start(links.get(side), hosts.get(side).poller());
        }
    }

    static <T> T within(Future<T> future) throws Exception {
        try {
            return future.get(PATIENCE.toNanos(), NANOSECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError("nothing within " + PATIENCE, e);
        }
    }

    LinkHost host(int side) {
        return hosts.get(side);
    }

    Link link(int side) {
        return links.get(side);
    }

    LinkReport awaitUp(int side) throws Exception {
        return within(ends.get(side).up);
    }

    LinkPair awaitUp() throws Exception {
        awaitUp(0);
        awaitUp(1);
        return this;
    }

    /** Returns why the link at one end went down; empty if in order. */
    Optional<LinkFailure> awaitDown(int side) throws Exception {
        return within(ends.get(side).down);
    }

    LinkFailure awaitFailure(int side) throws Exception {
        return awaitDown(side).orElseThrow(() -> new AssertionError("the link closed in order"));
    }

    LinkState awaitEnd(int side) throws Exception {
        return within(ends.get(side).ended);
    }

    void close() throws Exception {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        link(0).close(deadline);
        link(1).close(deadline);
        awaitEnd(0);
        awaitEnd(1);
    }

    /** A range with the bytes of a seed, offered by one side, whose lease goes back when the link lets go of it. */
    Offer offer(int side, long bytes, long seed) throws Exception {
        return offer(side, bytes, seed, () -> {});
    }

    Offer offer(int side, long bytes, long seed, OfferListener listener) throws Exception {
        Lease source = host(side).leaseFilled(bytes, seed);
        Offer offer = link(side).offer(RangePart.all(host(side).range(source)), null, listener);
        source.release();
        return offer;
    }

    /** A transfer whose lease is given back by {@link Fetched#release} or when it failed. */
    Fetched fetch(int side, Offer.Part part) throws Exception {
        return fetch(side, part, PATIENCE);
    }

    Fetched fetch(int side, Offer.Part part, Duration patience) throws Exception {
        Lease destination = host(side).lease(part.bytes());
        Fetched fetched = new Fetched(destination);
        RangePart range = RangePart.all(host(side).range(destination));
        fetched.transfer = link(side).fetch(part, range, System.nanoTime() + patience.toNanos(), fetched);
        return fetched;
    }

    /** Fetches and compares with what {@link LinkHost#leaseFilled} makes of the seed at the other side. */
    void fetchAndCompare(int side, long bytes, long seed) throws Exception {
        Offer offer = offer(1 - side, bytes, seed);
        Fetched fetched = fetch(side, offer.all());
        fetched.await();
        fetched.assertHolds(bytes, seed);
        link(1 - side).withdraw(offer);
        fetched.release();
    }

    /** A transfer and its destination. */
    static final class Fetched implements TransferListener {
        private final Lease destination;
        private final CompletableFuture<Void> result = new CompletableFuture<>();
        private @Nullable Transfer transfer;

        private Fetched(Lease destination) {
            this.destination = destination;
        }

        @Override
        public void onVerified() {
            result.complete(null);
        }

        @Override
        public void onFailed(TransferFailure failure) {
            destination.release();
            result.completeExceptionally(new TransferFailedException(failure));
        }

        void cancel() {
            if (transfer != null) {
                transfer.cancel();
            }
        }

        boolean isDone() {
            return result.isDone();
        }

        CompletableFuture<Void> result() {
            return result;
        }

        void await() throws Exception {
            within(result);
        }

        /** Waits for the transfer to fail. */
        TransferFailure awaitFailure() throws Exception {
            try {
                await();
            } catch (ExecutionException e) {
                if (e.getCause() instanceof TransferFailedException failed) {
                    return failed.failure;
                }
                throw e;
            }
            throw new AssertionError("the transfer succeeded");
        }

        Lease destination() {
            return destination;
        }

        void release() {
            destination.release();
        }

        void assertHolds(long bytes, long seed) {
            Content content = new Content(seed);
            for (long at = 0; at < bytes; at += Content.CHUNK) {
                int length = (int) Math.min(Content.CHUNK, bytes - at);
                ByteBuffer expected = content.next(length);
                int mismatch = destination.view(at, length).mismatch(expected);
                if (mismatch >= 0) {
                    throw new AssertionError("byte " + (at + mismatch) + " of " + bytes + " is wrong");
                }
            }
        }
    }

    /** Says why a fetch failed. */
    static final class TransferFailedException extends Exception {
        private static final long serialVersionUID = 1L;
        private final transient TransferFailure failure;

        private TransferFailedException(TransferFailure failure) {
            super(failure.toString());
            this.failure = failure;
        }
    }
}
