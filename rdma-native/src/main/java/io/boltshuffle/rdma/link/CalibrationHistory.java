package io.boltshuffle.rdma.link;

import java.util.ArrayList;
import java.util.List;

/**
 * What earlier links over the same cable found dirty. A candidate that loses frames breaks its queue pair, so the link that
 * finds out goes down; the owner keeps this across links, and the next one leaves the candidate out.
 *
 * <p><b>Threads:</b> safe.
 */
public final class CalibrationHistory {

    private final List<Candidate> broken = new ArrayList<>();

    /** Rules out a candidate and all that strain the cable more. */
    synchronized void broke(Candidate candidate) {
        if (!rulesOut(candidate)) {
            broken.add(candidate);
        }
    }

    synchronized boolean rulesOut(Candidate candidate) {
        return broken.stream().anyMatch(candidate::covers);
    }

    /** Forgets everything, for instance because the cable was re-plugged. */
    public synchronized void clear() {
        broken.clear();
    }
}
