package io.boltshuffle.cli.verify.ladder;

import io.boltshuffle.cli.verify.ladder.RungMessages.PeerFellException;
import io.boltshuffle.rdma.link.CalibrationHistory;
import io.boltshuffle.rdma.link.CalibrationResult;
import io.boltshuffle.rdma.link.Candidate;
import io.boltshuffle.rdma.link.Link;
import io.boltshuffle.rdma.link.LinkDevice;
import io.boltshuffle.rdma.link.LinkMode;
import io.boltshuffle.rdma.link.LinkOptions;
import io.boltshuffle.rdma.link.LinkParts;
import io.boltshuffle.rdma.link.LinkReport;
import io.boltshuffle.rdma.link.Offer;
import io.boltshuffle.rdma.link.RangePart;
import io.boltshuffle.rdma.link.engine.LinkPoller;
import io.boltshuffle.rdma.link.engine.QueuePairLink;
import io.boltshuffle.rdma.memory.Lease;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Moves bulk data over a real link: its calibration gives the speed of each message size, then the best one is used for
 * a while, first in one direction, then in the other. Every byte is checked.
 *
 * <p>What each direction costs is measured on both hosts over the same time, after a while in which the virtual
 * machines compile what they run.
 */
final class CheckedStream {
    private static final Duration REST = Duration.ofSeconds(1);
    private static final Duration CALIBRATION = Duration.ofSeconds(2);

    /** Reading a thread's CPU clock costs some of what is measured, so one check of so many is timed. */
    private static final int CHECKS_PER_TIMED = 7;

    /** The stream runs this part of its time before it is measured. */
    private static final int WARM_UP_PART = 2;

    private final LinkDevice device;
    private final ProbeMemory memory;
    private final LadderOptions options;
    private final Conversation conversation;
    private final RungMessages words;
    private final LinkEvents events = new LinkEvents();
    private final AtomicLong checksumNanos = new AtomicLong();
    private int checks;

    CheckedStream(
            LinkDevice device,
            ProbeMemory memory,
            LadderOptions options,
            Conversation conversation,
            RungMessages words) {
        this.device = device;
        this.memory = memory;
        this.options = options;
        this.conversation = conversation;
        this.words = words;
    }

    /** The measurements of this side. */
    record Measured(List<StreamSpeed> calibration, StreamSpeed stream, StreamCost cost) {}

    /** The measurements of the reading side; all times in nanoseconds, the last three of CPU. */
    private record Fetched(double bytes, double nanos, double fetching, double serving, double checksums) {

        double gigabytesPerSecond() {
            return bytes / nanos;
        }

        StreamCost cost(double idle) {
            return new StreamCost(fetching / bytes, serving / bytes, checksums / bytes, idle);
        }
    }

    /** @param leads which of the two sides fetches first */
    Measured run(LinkMode mode, boolean leads) throws FallException, PeerFellException {
        Lease scratch = memory.lease(memory.scratchBytes());
        LinkPoller poller = LinkPoller.start("bolt-verify-poller");
        try (poller) {
            Link link = QueuePairLink.start(setup(scratch, mode), poller);
            conversation.connect(link);
            try {
                return measure(link, leads);
            } finally {
                link.close(System.nanoTime() + options.patience().toNanos());
                events.awaitEnd(options.patience().multipliedBy(2));
            }
        } finally {
            scratch.release();
        }
    }

    private LinkParts setup(Lease scratch, LinkMode mode) {
        List<Candidate> candidates = new ArrayList<>();
        for (int messageBytes : options.messageSizes()) {
            candidates.add(new Candidate(messageBytes, Math.max(messageBytes, memory.windowBytes())));
        }
        return new LinkParts(
                device,
                memory.range(scratch),
                conversation::sendForLink,
                events,
                LinkOptions.defaults(mode)
                        .withCandidates(candidates, CALIBRATION)
                        .withDeadlinesTimes(options.deadlineScale())
                        .withInterfaceAddresses(options.interfaceAddresses()),
                new CalibrationHistory(),
                this::timeChecksum,
                new SecureRandom());
    }

    /** Runs a check on the poller itself, as links do by default, and times some of them. */
    private void timeChecksum(Runnable check) {
        checks++;
        if (checks % CHECKS_PER_TIMED != 0) {
            check.run();
            return;
        }
        long before = CpuClock.nanosOfThisThread();
        check.run();
        checksumNanos.addAndGet(CHECKS_PER_TIMED * (CpuClock.nanosOfThisThread() - before));
    }

    private Measured measure(Link link, boolean leads) throws FallException, PeerFellException {
        LinkReport report = events.awaitUp(options.patience());
        Lease source = memory.lease(memory.transferBytes());
        fill(source);
        Offer offer = link.offer(RangePart.all(memory.range(source)), null, () -> {});
        source.release();
        ByteBuffer facts = ByteBuffer.allocate(offer.encodedBytes());
        offer.encode(facts);
        words.say(facts.flip());
        Offer theirs = Offer.decode(words.hear());
        if (!leads) {
            serve();
        }
        Fetched fetched = fetch(link, theirs);
        if (leads) {
            serve();
        }
        double idle = rest();
        Candidate used = report.receiving();
        return new Measured(
                speeds(report),
                new StreamSpeed(used.messageBytes(), used.windowBytes(), fetched.gigabytesPerSecond()),
                fetched.cost(idle));
    }

    /** Waits with the link up and nothing to do, and returns the share of a core that was used. */
    private double rest() throws FallException, PeerFellException {
        meet();
        long start = System.nanoTime();
        CpuClock before = CpuClock.read();
        try {
            TimeUnit.NANOSECONDS.sleep(REST.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FallException("interrupted", "");
        }
        double used = CpuClock.read().nanosSince(before);
        long nanos = System.nanoTime() - start;
        meet();
        return used / nanos;
    }

    private void meet() throws FallException, PeerFellException {
        words.say(ByteBuffer.allocate(0));
        words.hear();
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
        ByteBuffer bytes = lease.view(0, (int) lease.bytes());
        SplittableRandom random = new SplittableRandom(lease.bytes());
        while (bytes.hasRemaining()) {
            bytes.putLong(random.nextLong());
        }
    }

    private Fetched fetch(Link link, Offer offer) throws FallException, PeerFellException {
        try (FetchLoop loop = new FetchLoop(link, offer, memory, options.patience())) {
            loop.start();
            loop.run(warmUp());
            words.say(ByteBuffer.allocate(0));
            long start = System.nanoTime();
            long movedBefore = loop.moved();
            long checksumsBefore = checksumNanos.get();
            CpuClock cpuBefore = CpuClock.read();
            loop.run(options.streamTime());
            loop.drain();
            double bytes = loop.moved() - movedBefore;
            double nanos = System.nanoTime() - start;
            long checksums = checksumNanos.get() - checksumsBefore;
            long fetching = CpuClock.read().nanosSince(cpuBefore) - checksums;
            words.say(ByteBuffer.allocate(0));
            long serving = words.hear().getLong();
            return new Fetched(bytes, nanos, fetching, serving, checksums);
        }
    }

    /** Waits only: the poller serves. */
    private void serve() throws FallException, PeerFellException {
        words.hear(options.patience().plus(warmUp()));
        CpuClock before = CpuClock.read();
        words.hear(options.patience().plus(options.streamTime()));
        words.say(ByteBuffer.allocate(Long.BYTES)
                .putLong(CpuClock.read().nanosSince(before))
                .flip());
    }

    private Duration warmUp() {
        return options.streamTime().dividedBy(WARM_UP_PART);
    }
}
