package io.boltshuffle.rdma.link.setup;

import io.boltshuffle.rdma.link.CalibrationHistory;
import io.boltshuffle.rdma.link.CalibrationResult;
import io.boltshuffle.rdma.link.CalibrationResult.Verdict;
import io.boltshuffle.rdma.link.Candidate;
import io.boltshuffle.rdma.link.LinkFailure.Reason;
import io.boltshuffle.rdma.link.LinkOptions;
import io.boltshuffle.rdma.link.Offer;
import io.boltshuffle.rdma.link.RangePart;
import io.boltshuffle.rdma.link.TransferFailure;
import io.boltshuffle.rdma.link.TransferListener;
import io.boltshuffle.rdma.link.move.Fetch;
import io.boltshuffle.rdma.link.move.Fetcher;
import io.boltshuffle.rdma.link.move.LinkDownException;
import io.boltshuffle.rdma.memory.Lease;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds the message size and window that bring the most checked bytes here, by fetching the peer's pattern with one
 * candidate after the other until the time is up. The first that is not ruled out is measured in any case.
 *
 * <p>A damaged round takes the link down like any damage; {@link #underTest} then says which candidate to rule out.
 *
 * <p><b>Threads:</b> confined to the poller. {@link #advance} is called after each poll; nothing happens in callbacks.
 */
final class Calibrator {

    private static final int ROUNDS_AT_A_TIME = 2;

    private final Fetcher fetcher;
    private final Scratch scratch;
    private final LinkOptions options;
    private final LongSupplier now;
    private final List<CalibrationResult> results = new ArrayList<>();
    private final ArrayDeque<Candidate> plan = new ArrayDeque<>();
    private final ArrayDeque<Integer> arrived = new ArrayDeque<>();
    private List<Offer> pattern = List.of();

    private @Nullable Candidate underTest;
    private @Nullable TransferFailure failure;
    private int roundsUnderWay;
    private long startNanos;
    private long stopNanos;
    private long endNanos;
    private long movedBytes;

    /** @param now the time of the poll under way */
    Calibrator(Fetcher fetcher, Scratch scratch, LinkOptions options, LongSupplier now) {
        this.fetcher = fetcher;
        this.scratch = scratch;
        this.options = options;
        this.now = now;
    }

    /**
     * Plans with the candidates that the granted depth and the scratch memory allow and no earlier link found broken.
     * If all were, the link goes down, and the next one starts over.
     */
    void plan(CalibrationHistory history) throws LinkDownException {
        Set<Candidate> fitting = fitting();
        for (Candidate candidate : fitting) {
            if (history.rulesOut(candidate, now.getAsLong())) {
                results.add(new CalibrationResult(candidate, Verdict.DIRTY, 0));
            } else {
                plan.add(candidate);
            }
        }
        if (plan.isEmpty()) {
            history.clear();
            throw new LinkDownException(
                    Reason.CALIBRATION_DIRTY,
                    fitting.isEmpty()
                            ? "no candidate fits the granted depth and the scratch memory"
                            : "no message size moves bytes without damage over this cable: check or change it; all of"
                                    + " them"
                                    + " are tried again");
        }
    }

    private Set<Candidate> fitting() {
        long depthBytes = (long) fetcher.budget().granted() * Lease.FRAME_BYTES;
        Set<Candidate> fitting = new LinkedHashSet<>();
        for (Candidate candidate : options.candidates()) {
            // More than the rounds under way would not be measured.
            int measurable = ROUNDS_AT_A_TIME * scratch.roundBytes();
            int window = (int) Math.min(Math.min(candidate.windowBytes(), measurable), depthBytes);
            if (scratch.suits(candidate.messageBytes()) && window >= candidate.messageBytes()) {
                fitting.add(new Candidate(candidate.messageBytes(), window));
            }
        }
        return fitting;
    }

    /** It is this side's turn to measure. */
    void start(List<Offer> peerPattern) throws LinkDownException {
        pattern = peerPattern;
        endNanos = now.getAsLong() + options.calibration().toNanos() / 2;
        next();
    }

    /** Goes on with what the last poll brought. True when all is measured. */
    boolean advance() throws LinkDownException {
        if (failure != null) {
            throw new LinkDownException(Reason.STALLED, "calibrating with " + underTest + ": " + failure.message());
        }
        boolean timeIsUp = now.getAsLong() - stopNanos >= 0;
        while (underTest != null && !arrived.isEmpty()) {
            int round = arrived.remove();
            roundsUnderWay--;
            movedBytes += scratch.roundBytes();
            if (!timeIsUp) {
                startRound(underTest, round);
            } else if (roundsUnderWay == 0) {
                double seconds = Math.max(1, now.getAsLong() - startNanos) / 1e9;
                results.add(new CalibrationResult(underTest, Verdict.CLEAN, movedBytes / seconds / 1e9));
                next();
            }
        }
        return underTest == null;
    }

    private void next() throws LinkDownException {
        long at = now.getAsLong();
        if (at - endNanos >= 0 && best() != null) {
            plan.forEach(candidate -> results.add(new CalibrationResult(candidate, Verdict.NOT_MEASURED, 0)));
            plan.clear();
        }
        underTest = plan.poll();
        if (underTest == null) {
            return;
        }
        startNanos = at;
        stopNanos = at + Math.max(0, endNanos - at) / (plan.size() + 1);
        movedBytes = 0;
        use(underTest);
        for (int round = 0; round < ROUNDS_AT_A_TIME; round++) {
            startRound(underTest, round);
        }
    }

    /** Sets the window to what a candidate allows. */
    void use(Candidate candidate) {
        fetcher.budget().limitTo(candidate.windowBytes() / Lease.FRAME_BYTES);
    }

    private void startRound(Candidate candidate, int round) throws LinkDownException {
        scratch.mark(round);
        RangePart landing = scratch.landing(round);
        Offer offer = scratch.offerOf(pattern, candidate.messageBytes());
        Offer.Part part = offer.part((long) round * landing.bytes(), landing.bytes());
        long deadline = now.getAsLong() + options.stall().toNanos();
        landing.range().retain();
        roundsUnderWay++;
        Round listener = new Round(round);
        fetcher.start(new Fetch(part, landing, deadline, listener, listener));
    }

    /** One fetch of half the pattern. */
    private final class Round implements TransferListener, Fetch.Owner {
        private final int round;

        private Round(int round) {
            this.round = round;
        }

        @Override
        public void cancel(Fetch fetch) {
            throw new UnsupportedOperationException("a round of calibration cannot be cancelled");
        }

        @Override
        public void ended() {}

        @Override
        public void onVerified() {
            arrived.add(round);
        }

        @Override
        public void onFailed(TransferFailure why) {
            failure = why;
        }
    }

    /** The candidate that is being measured, or null. */
    @Nullable Candidate underTest() {
        return underTest;
    }

    /** Returns the fastest clean one so far, or null. */
    @Nullable CalibrationResult best() {
        return results.stream()
                .filter(result -> result.verdict() == Verdict.CLEAN)
                .max(Comparator.comparingDouble(CalibrationResult::gigabytesPerSecond))
                .orElse(null);
    }

    List<CalibrationResult> results() {
        return List.copyOf(results);
    }
}
