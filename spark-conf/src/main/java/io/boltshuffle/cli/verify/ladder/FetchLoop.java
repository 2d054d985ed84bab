package io.boltshuffle.cli.verify.ladder;

import io.boltshuffle.rdma.link.Link;
import io.boltshuffle.rdma.link.Offer;
import io.boltshuffle.rdma.link.RangePart;
import io.boltshuffle.rdma.link.TransferFailure;
import io.boltshuffle.rdma.link.TransferListener;
import io.boltshuffle.rdma.memory.Lease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Fetches one offer again and again, two transfers at a time, so that the cable never waits for the next one to begin.
 * Where one ends, the next begins: no other thread is woken for that.
 *
 * <p><b>Threads:</b> the climber's starts and stops it, and waits; the link's poller goes on. <b>Ownership:</b> of the
 * destinations, which are given back by {@link #close}.
 */
final class FetchLoop implements AutoCloseable {

    static final int AT_ONCE = 2;

    private final Link link;
    private final Offer.Part wanted;
    private final ProbeMemory memory;
    private final Duration patience;
    private final List<Lease> leases = new ArrayList<>();
    private final AtomicLong moved = new AtomicLong();
    private final AtomicReference<@Nullable TransferFailure> failure = new AtomicReference<>();
    private final CountDownLatch ended = new CountDownLatch(AT_ONCE);
    private final CountDownLatch failed = new CountDownLatch(1);
    private volatile boolean stopping;

    FetchLoop(Link link, Offer offer, ProbeMemory memory, Duration patience) {
        this.link = link;
        this.wanted = offer.part(0, Math.min(offer.bytes(), memory.transferBytes()));
        this.memory = memory;
        this.patience = patience;
        for (int i = 0; i < AT_ONCE; i++) {
            leases.add(memory.lease(wanted.bytes()));
        }
    }

    /** Starts the loop. Called once. */
    void start() {
        leases.forEach(this::fetchInto);
    }

    /** Returns after so long, while the link still is busy. */
    void run(Duration time) throws FallException {
        await(failed, time.toNanos());
        throwIfFailed();
    }

    /** Begins nothing more, and waits for what is under way. */
    void drain() throws FallException {
        stopping = true;
        boolean all = await(ended, 2 * patience.toNanos());
        throwIfFailed();
        if (!all) {
            throw new FallException("a transfer did not end", "this is a defect: please report it");
        }
    }

    /** Bytes that arrived and were right. */
    long moved() {
        return moved.get();
    }

    private void fetchInto(Lease lease) {
        long deadline = System.nanoTime() + patience.toNanos();
        link.fetch(wanted, RangePart.all(memory.range(lease)), deadline, new Round(lease));
    }

    private void throwIfFailed() throws FallException {
        TransferFailure seen = failure.get();
        if (seen != null) {
            throw FallException.ofStream("the stream broke off: " + seen.message(), seen.link());
        }
    }

    private static boolean await(CountDownLatch latch, long nanos) throws FallException {
        try {
            return latch.await(nanos, TimeUnit.NANOSECONDS);
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
            moved.addAndGet(wanted.bytes());
            if (stopping) {
                ended.countDown();
            } else {
                fetchInto(lease);
            }
        }

        @Override
        public void onFailed(TransferFailure why) {
            failure.compareAndSet(null, why);
            failed.countDown();
            ended.countDown();
        }
    }
}
