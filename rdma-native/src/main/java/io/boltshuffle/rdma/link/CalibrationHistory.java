package io.boltshuffle.rdma.link;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The candidates that earlier links over the same cable found dirty. A candidate that loses frames breaks its queue
 * pair, so the link that finds out goes down; the owner keeps this across links, and the next one leaves the candidate
 * out.
 *
 * <p>An entry is forgotten after a while: the damage may have had another cause, such as a plug that was loose for a
 * moment, and entries that stay would in the end leave no candidate.
 *
 * <p><b>Threads:</b> safe.
 */
public final class CalibrationHistory {

    static final long FORGET_NANOS = TimeUnit.MINUTES.toNanos(10);

    private record Broken(Candidate candidate, long sinceNanos) {}

    private final List<Broken> broken = new ArrayList<>();

    /** Rules out a candidate and all that strain the cable more. */
    public synchronized void broke(Candidate candidate, long nowNanos) {
        broken.removeIf(earlier -> earlier.candidate().equals(candidate));
        broken.add(new Broken(candidate, nowNanos));
    }

    public synchronized boolean rulesOut(Candidate candidate, long nowNanos) {
        broken.removeIf(earlier -> nowNanos - earlier.sinceNanos() >= FORGET_NANOS);
        return broken.stream().anyMatch(earlier -> candidate.covers(earlier.candidate()));
    }

    /** Forgets everything, for instance because the cable was re-plugged. */
    public synchronized void clear() {
        broken.clear();
    }
}
