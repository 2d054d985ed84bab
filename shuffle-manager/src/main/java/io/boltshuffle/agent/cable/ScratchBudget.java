package io.boltshuffle.agent.cable;

import io.boltshuffle.rdma.memory.Lease;
import io.boltshuffle.rdma.memory.LeaseOwner;
import io.boltshuffle.rdma.memory.LeasePool;
import java.io.IOException;

/**
 * The memory that links calibrate with and hold until they end: a share of the slab for each of them, and a limit for
 * all together, so that links, however many are asked for, leave memory to what they are for.
 *
 * <p><b>Threads:</b> any.
 */
final class ScratchBudget {

    /**
     * The most bytes of a link: twice a window of 8 MiB. A link never has more under way than it measured.
     */
    private static final long LINK_BYTES = 16L << 20;

    /** The part of a small slab that each link gets at most: one in so many bytes. */
    private static final long SLAB_PER_LINK = 16;

    /** The part of the slab that all links together get at most: one in so many bytes. */
    private static final long SLAB_PER_ALL = 2;

    private final LeasePool pool;
    private final long bytesEach;
    private final long limitBytes;
    private long takenBytes;

    ScratchBudget(LeasePool pool) {
        long slabBytes = pool.slab().bytes();
        this.pool = pool;
        this.bytesEach = Math.min(LINK_BYTES, slabBytes / SLAB_PER_LINK);
        this.limitBytes = slabBytes / SLAB_PER_ALL;
    }

    /**
     * Memory for one more link, which goes back by {@link #giveBack}.
     *
     * @throws IOException if links have their part of the slab already, or the slab has no room
     */
    Lease take(Object port) throws IOException {
        reserve(port);
        try {
            return pool.tryAcquire(new LeaseOwner("calibration of " + port), bytesEach)
                    .orElseThrow(() -> new IOException("no memory to calibrate " + port + " with"));
        } catch (IOException | RuntimeException e) {
            unreserve();
            throw e;
        }
    }

    /** The link is over. Memory in quarantine stays away, and is no other link's loss. */
    void giveBack(Lease scratch) {
        unreserve();
        scratch.release();
    }

    private synchronized void reserve(Object port) throws IOException {
        if (takenBytes + bytesEach > limitBytes) {
            throw new IOException("no more links: " + takenBytes / bytesEach + " have " + takenBytes
                    + " bytes to calibrate with, which is as much of the slab as links may take; " + port
                    + " has to wait, or agent.slab to grow");
        }
        takenBytes += bytesEach;
    }

    private synchronized void unreserve() {
        takenBytes -= bytesEach;
    }
}
