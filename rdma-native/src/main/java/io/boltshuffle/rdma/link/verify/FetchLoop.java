package io.boltshuffle.rdma.link.verify;

import io.boltshuffle.rdma.link.Link;
import io.boltshuffle.rdma.link.Offer;
import io.boltshuffle.rdma.link.RangePart;
import io.boltshuffle.rdma.link.TransferFailure;
import io.boltshuffle.rdma.link.TransferListener;
import io.boltshuffle.rdma.memory.Lease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Fetches one offer again and again, two transfers at a time, so that the cable never waits for the next one to begin.
 *
 * <p><b>Threads:</b> the climber's; the link's poller says what arrived. <b>Ownership:</b> of the destinations, which are
 * given back by {@link #close}.
 */
final class FetchLoop implements AutoCloseable {

    static final int AT_ONCE = 2;

    private final Link link;
    private final Offer offer;
    private final ProbeMemory memory;
    private final Duration patience;
    private final List<Lease> leases = new ArrayList<>();
    private final BlockingQueue<Lease> free = new ArrayBlockingQueue<>(AT_ONCE);
    private final AtomicLong moved = new AtomicLong();
    private final AtomicReference<@Nullable TransferFailure> failure = new AtomicReference<>();

    FetchLoop(Link link, Offer offer, ProbeMemory memory, Duration patience) {
        this.link = link;
        this.offer = offer;
        this.memory = memory;
        this.patience = patience;
        for (int i = 0; i < AT_ONCE; i++) {
            leases.add(memory.lease(offer.bytes()));
        }
        free.addAll(leases);
    }

    /** Keeps the link busy for so long, and returns while it still is. */
    void runFor(Duration time) throws FallException {
        long start = System.nanoTime();
        while (System.nanoTime() - start < time.toNanos()) {
            Lease lease = take();
            long deadline = System.nanoTime() + patience.toNanos();
            link.fetch(offer.all(), RangePart.all(memory.range(lease)), deadline, new Round(lease));
        }
    }

    /** Waits for what is under way. */
    void drain() throws FallException {
        for (int i = 0; i < AT_ONCE; i++) {
            take();
        }
        free.addAll(leases);
    }

    /** Bytes that arrived and were right. */
    long moved() {
        return moved.get();
    }

    private Lease take() throws FallException {
        try {
            Lease lease = free.poll(2 * patience.toNanos(), TimeUnit.NANOSECONDS);
            TransferFailure seen = failure.get();
            if (seen != null) {
                throw FallException.ofStream("the stream broke off: " + seen.message(), seen.link());
            }
            if (lease == null) {
                throw new FallException("a transfer did not end", "this is a defect: please report it");
            }
            return lease;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FallException("interrupted", "");
        }
    }

    @Override
    public void close() {
        leases.forEach(Lease::release);
    }

    /** One transfer into one lease. */
    private final class Round implements TransferListener {
        private final Lease lease;

        private Round(Lease lease) {
            this.lease = lease;
        }

        @Override
        public void onVerified() {
            moved.addAndGet(offer.bytes());
            free.add(lease);
        }

        @Override
        public void onFailed(TransferFailure why) {
            failure.compareAndSet(null, why);
            free.add(lease);
        }
    }
}
