package io.boltshuffle.rdma.link.verify;

import io.boltshuffle.rdma.link.CalibrationHistory;
import io.boltshuffle.rdma.link.CalibrationResult;
import io.boltshuffle.rdma.link.Candidate;
import io.boltshuffle.rdma.link.LeasedRange;
import io.boltshuffle.rdma.link.Link;
import io.boltshuffle.rdma.link.LinkDevice;
import io.boltshuffle.rdma.link.LinkFailure;
import io.boltshuffle.rdma.link.LinkListener;
import io.boltshuffle.rdma.link.LinkMode;
import io.boltshuffle.rdma.link.LinkOptions;
import io.boltshuffle.rdma.link.LinkPoller;
import io.boltshuffle.rdma.link.LinkReport;
import io.boltshuffle.rdma.link.LinkSetup;
import io.boltshuffle.rdma.link.LinkState;
import io.boltshuffle.rdma.link.Offer;
import io.boltshuffle.rdma.link.QueuePairLink;
import io.boltshuffle.rdma.link.RangePart;
import io.boltshuffle.rdma.link.TransferFailure;
import io.boltshuffle.rdma.link.TransferListener;
import io.boltshuffle.rdma.link.verify.Words.PeerFellException;
import io.boltshuffle.rdma.memory.Lease;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Moves bulk data over a real link: its calibration gives the speed of each message size, then the best one is used for a
 * while, first in one direction, then in the other. Every byte is checked.
 */
final class CheckedStream {
    private static final int SCRATCH_BYTES = 16 << 20;
    private static final int TRANSFER_BYTES = 12 << 20;
    private static final int AT_ONCE = 2;
    private static final int WINDOW_BYTES = 8 << 20;
    private static final Duration CALIBRATION = Duration.ofSeconds(2);

    /** What must be leased for it. */
    static final long MEMORY_BYTES = SCRATCH_BYTES + (AT_ONCE + 1L) * TRANSFER_BYTES;

    private final LinkDevice device;
    private final ProbeMemory memory;
    private final LadderOptions options;
    private final Conversation conversation;
    private final Words words;
    private final Told told = new Told();

    CheckedStream(
            LinkDevice device, ProbeMemory memory, LadderOptions options, Conversation conversation, Words words) {
        this.device = device;
        this.memory = memory;
        this.options = options;
        this.conversation = conversation;
        this.words = words;
    }

    /** What was measured on this side. */
    record Measured(List<StreamSpeed> calibration, StreamSpeed stream) {}

    /** @param leads which of the two sides fetches first */
    Measured run(LinkMode mode, boolean leads) throws FallException, PeerFellException {
        Lease scratch = memory.lease(SCRATCH_BYTES);
        LinkPoller poller = LinkPoller.start("bolt-verify-poller");
        try (poller) {
            Link link = QueuePairLink.start(setup(scratch, mode), poller);
            conversation.connect(link);
            try {
                return measure(link, leads);
            } finally {
                link.close(System.nanoTime() + options.patience().toNanos());
                told.awaitEnd(options.patience());
            }
        } finally {
            scratch.release();
        }
    }

    private LinkSetup setup(Lease scratch, LinkMode mode) {
        List<Candidate> candidates = new ArrayList<>();
        for (int messageBytes : options.messageSizes()) {
            candidates.add(new Candidate(messageBytes, Math.max(messageBytes, WINDOW_BYTES)));
        }
        return new LinkSetup(
                device,
                memory.range(scratch),
                conversation::sendForLink,
                told,
                LinkOptions.defaults(mode)
                        .withCandidates(candidates, CALIBRATION)
                        .withInterfaceAddresses(options.interfaceAddresses()),
                new CalibrationHistory(),
                null,
                new SecureRandom());
    }

    private Measured measure(Link link, boolean leads) throws FallException, PeerFellException {
        LinkReport report = told.awaitUp(options.patience());
        Lease source = memory.lease(TRANSFER_BYTES);
        fill(source);
        Offer offer = link.offer(RangePart.all(memory.range(source)), null, () -> {});
        source.release();
        ByteBuffer facts = ByteBuffer.allocate(offer.encodedBytes());
        offer.encode(facts);
        words.say(facts.flip());
        Offer theirs = Offer.decode(words.hear());
        double gigabytesPerSecond;
        if (leads) {
            gigabytesPerSecond = fetchFor(link, theirs);
            words.say(ByteBuffer.allocate(0));
            words.hear();
        } else {
            words.hear();
            gigabytesPerSecond = fetchFor(link, theirs);
            words.say(ByteBuffer.allocate(0));
        }
        Candidate used = report.receiving();
        return new Measured(
                speeds(report), new StreamSpeed(used.messageBytes(), used.windowBytes(), gigabytesPerSecond));
    }

    private static List<StreamSpeed> speeds(LinkReport report) {
        return report.calibration().stream()
                .filter(result -> result.verdict() == CalibrationResult.Verdict.CLEAN)
                .map(result -> new StreamSpeed(
                        result.candidate().messageBytes(),
                        result.candidate().windowBytes(),
                        result.gigabytesPerSecond()))
                .toList();
    }

    private static void fill(Lease lease) {
        ByteBuffer bytes = lease.view(0, TRANSFER_BYTES);
        SplittableRandom random = new SplittableRandom(TRANSFER_BYTES);
        while (bytes.hasRemaining()) {
            bytes.putLong(random.nextLong());
        }
    }

    /** Two transfers at a time, so that the cable never waits for the next one to begin. */
    private double fetchFor(Link link, Offer offer) throws FallException {
        Semaphore free = new Semaphore(AT_ONCE);
        AtomicReference<@Nullable TransferFailure> failure = new AtomicReference<>();
        AtomicLong moved = new AtomicLong();
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < AT_ONCE; i++) {
            leases.add(memory.lease(TRANSFER_BYTES));
        }
        long start = System.nanoTime();
        try {
            for (int i = 0; System.nanoTime() - start < options.streamTime().toNanos() && failure.get() == null; i++) {
                take(free, 1);
                LeasedRange destination = memory.range(leases.get(i % AT_ONCE));
                long deadline = System.nanoTime() + options.patience().toNanos();
                link.fetch(offer.all(), RangePart.all(destination), deadline, new Round(free, moved, failure));
            }
            take(free, AT_ONCE);
        } finally {
            leases.forEach(Lease::release);
        }
        TransferFailure seen = failure.get();
        if (seen != null) {
            throw new FallException("the stream broke off: " + seen.message(), remedyOf(seen.link()));
        }
        return moved.get() / (double) (System.nanoTime() - start);
    }

    private void take(Semaphore free, int permits) throws FallException {
        try {
            if (!free.tryAcquire(permits, 2 * options.patience().toNanos(), TimeUnit.NANOSECONDS)) {
                throw new FallException("a transfer did not end", "this is a defect: please report it");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FallException("interrupted", "");
        }
    }

    private static String remedyOf(@Nullable LinkFailure failure) {
        if (failure == null) {
            return "";
        }
        return switch (failure.reason()) {
            case CHECKSUM_MISMATCH, LENGTH_MISMATCH, BAD_COMPLETION, CALIBRATION_DIRTY ->
                "the cable or a port damages data: try another cable, then another port";
            case STALLED -> "look at the other host; if it is well, re-plug the cable";
            default -> "";
        };
    }

    /** One transfer of the stream. */
    private record Round(Semaphore free, AtomicLong moved, AtomicReference<@Nullable TransferFailure> failure)
            implements TransferListener {

        @Override
        public void onVerified() {
            moved.addAndGet(TRANSFER_BYTES);
            free.release();
        }

        @Override
        public void onFailed(TransferFailure why) {
            failure.compareAndSet(null, why);
            free.release();
        }
    }

    /** What the link's owner is told. */
    private static final class Told implements LinkListener {
        private final CompletableFuture<LinkReport> up = new CompletableFuture<>();
        private final CompletableFuture<LinkState> ended = new CompletableFuture<>();

        @Override
        public void onUp(LinkReport report) {
            up.complete(report);
        }

        @Override
        public void onDown(@Nullable LinkFailure failure) {
            up.completeExceptionally(
                    new FallException(failure == null ? "the link was closed" : failure.message(), remedyOf(failure)));
        }

        @Override
        public void onEnded(LinkState end) {
            ended.complete(end);
        }

        LinkReport awaitUp(Duration patience) throws FallException {
            try {
                return up.get(patience.toNanos(), TimeUnit.NANOSECONDS);
            } catch (ExecutionException e) {
                if (e.getCause() instanceof FallException fall) {
                    throw fall;
                }
                throw new IllegalStateException(e);
            } catch (TimeoutException e) {
                throw new FallException("the link did not come up in time", "look at the other host");
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new FallException("interrupted", "");
            }
        }

        void awaitEnd(Duration patience) throws FallException {
            try {
                ended.get(2 * patience.toNanos(), TimeUnit.NANOSECONDS);
            } catch (ExecutionException | TimeoutException e) {
                throw new FallException("the link did not end in time", "restart the host if verbs hang");
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new FallException("interrupted", "");
            }
        }
    }
}
