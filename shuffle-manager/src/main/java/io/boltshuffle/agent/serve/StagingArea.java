package io.boltshuffle.agent.serve;

import io.boltshuffle.agent.cable.ActiveLink;
import io.boltshuffle.rdma.link.MemoryWindow;
import io.boltshuffle.rdma.link.RegisteredRange;
import io.boltshuffle.rdma.memory.Lease;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * Memory that one pull is staged in, and the links that may read it.
 *
 * <p><b>Invariant:</b> it is registered only for links of one peer's session, so it never holds bytes that this peer
 * may not read.
 *
 * <p><b>Threads:</b> used by one thread at a time: a reader while it works for the pull, else the agent's loop.
 *
 * <p><b>Ownership:</b> of the lease and of its share of the staging budget, until {@link #close}.
 */
final class StagingArea {

    private final Lease lease;
    private final StagingBudget.Share share;
    private final Map<Integer, MemoryWindow.Opening> openings = new HashMap<>();

    StagingArea(Lease lease, StagingBudget.Share share) {
        this.lease = lease;
        this.share = share;
    }

    Lease lease() {
        return lease;
    }

    long bytes() {
        return lease.bytes();
    }

    /**
     * Lets a link's peer read this, where it reads. On a reader, before anything is staged: it overwrites what is
     * there.
     */
    void openTo(ActiveLink link) throws IOException {
        MemoryWindow window = link.window();
        if (window != null && !openings.containsKey(link.id())) {
            openings.put(link.id(), window.open(lease));
        }
    }

    /** This memory as a link offers it. */
    RegisteredRange rangeFor(ActiveLink link) {
        MemoryWindow.Opening opening = openings.get(link.id());
        return opening == null ? link.rangeOf(lease) : opening.range();
    }

    /** Returns whether a peer may read the area, until it is closed. */
    boolean isOpen() {
        return !openings.isEmpty();
    }

    /** Gives the memory back. Called on the loop. */
    void close() {
        openings.values().forEach(MemoryWindow.Opening::close);
        lease.release();
        share.end();
    }
}
