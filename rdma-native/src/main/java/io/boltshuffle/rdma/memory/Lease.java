package io.boltshuffle.rdma.memory;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A range of a slab on loan from its pool, in whole frames.
 *
 * <p><b>Invariant:</b> the pool lends the memory again only when the lease is released <em>and</em> no posted work
 * request can touch it any more: each has completed, or its queue pair is destroyed.
 *
 * <p><b>Threads:</b> any. {@link #posted} and {@link #completed} take no lock until the last completion of a released
 * lease.
 *
 * <p><b>Ownership:</b> one {@link LeaseOwner} at a time; the code that acts for it releases once. A second release, a
 * post after the release and the completion of a request that was not posted throw, because each is a bug that could
 * corrupt other owners' bytes.
 */
public final class Lease {

    /** The unit in which leases, messages and the depths of Thunderbolt are counted. */
    public static final int FRAME_BYTES = 4096;

    private static final int POSTED_BITS = 24;
    private static final int MAX_POSTED = (1 << POSTED_BITS) - 1;
    private static final LeaseState[] STATES = LeaseState.values();

    private final LeasePool pool;
    private final long id;
    private final int firstFrame;
    private final int frames;
    private final long bytes;
    private final long grantedNanos;

    /** State and count of posted work in one word, so that the last completion and a release cannot miss each other. */
    private final AtomicInteger stateAndPosted = new AtomicInteger(word(LeaseState.HELD, 0));

    // The next four fields change under the pool's lock only.
    private final LeaseOwner owner;
    private volatile String quarantineReason = "";
    private int openQuarantines;
    private boolean released;

    Lease(LeasePool pool, long id, int firstFrame, long bytes, LeaseOwner owner, long grantedNanos) {
        this.pool = pool;
        this.id = id;
        this.firstFrame = firstFrame;
        this.frames = framesOf(bytes);
        this.bytes = bytes;
        this.owner = owner;
        this.grantedNanos = grantedNanos;
    }

    /** Returns how many frames hold so many bytes. */
    public static int framesOf(long bytes) {
        return Math.toIntExact((bytes + FRAME_BYTES - 1) / FRAME_BYTES);
    }

    /** Returns a number that is unique within the pool and is never used again. */
    public long id() {
        return id;
    }

    /** Returns the start within the slab. */
    public long offset() {
        return (long) firstFrame * FRAME_BYTES;
    }

    /** Returns the start in this process's memory. */
    public long address() {
        return pool.slab().address() + offset();
    }

    /** Returns the requested size; the memory continues to the end of the last frame. */
    public long bytes() {
        return bytes;
    }

    public int frames() {
        return frames;
    }

    public LeaseOwner owner() {
        return owner;
    }

    public LeaseState state() {
        return stateOf(stateAndPosted.get());
    }

    /**
     * Returns a writable buffer over part of the lease, up to its last whole frame. It must not be used after the
     * release: nothing would stop it from reading and writing bytes of another owner.
     *
     * @throws IllegalStateException unless the lease is held
     */
    public ByteBuffer view(long offset, int length) {
        requireHeld("viewed");
        if (offset < 0 || length < 0 || offset > (long) frames * FRAME_BYTES - length) {
            throw new IndexOutOfBoundsException("range " + offset + " + " + length + " of " + this);
        }
        return pool.slab().view(offset() + offset, length);
    }

    /**
     * Counts work requests that are about to be posted, or a peer's right to read: call it before the device or the
     * peer can act.
     *
     * @throws IllegalStateException unless the lease is held
     */
    public void posted(int workRequests) {
        requirePositive(workRequests);
        int before;
        do {
            before = stateAndPosted.get();
            if (stateOf(before) != LeaseState.HELD) {
                throw misuse("posted to");
            }
            if (workRequests > MAX_POSTED - postedOf(before)) {
                throw new IllegalStateException("more than " + MAX_POSTED + " work requests posted to " + this);
            }
        } while (!move(before, LeaseState.HELD, postedOf(before) + workRequests));
    }

    /**
     * Counts posted work that is over: it completed, or its post was refused whole, or its queue pair is destroyed. The
     * last one returns the memory of a released lease.
     *
     * @throws IllegalStateException if fewer requests were posted
     */
    public void completed(int workRequests) {
        requirePositive(workRequests);
        int before;
        LeaseState next;
        do {
            before = stateAndPosted.get();
            if (workRequests > postedOf(before)) {
                throw misuse("told of " + workRequests + " completions");
            }
            boolean last = stateOf(before) == LeaseState.DRAINING && workRequests == postedOf(before);
            next = last ? LeaseState.RETURNED : stateOf(before);
        } while (!move(before, next, postedOf(before) - workRequests));
        if (next == LeaseState.RETURNED) {
            pool.takeBack(this);
        }
    }

    /**
     * Ends the owner's use. The memory returns now, with the last completion of posted work, or with the end of its
     * quarantine.
     *
     * @throws IllegalStateException unless the lease is held, or is quarantined and was not released before
     */
    public void release() {
        pool.release(this);
    }

    /**
     * Withdraws the memory, because it cannot be shown that posted work is over. The caller may do so before the
     * owner's {@link #release}, which is still due, or after it while the lease drains; and once for each queue pair in
     * doubt.
     *
     * @throws IllegalStateException if the memory is returned already
     */
    public void quarantine(String reason) {
        pool.quarantine(this, reason);
    }

    /**
     * Ends one {@link #quarantine}: the queue pair in doubt is destroyed, so its work can touch the memory no more. The
     * memory returns when no quarantine is open, no posted work is left and the owner has released it.
     *
     * @param workRequests how many of the posted ones belonged to the destroyed queue pair; may be 0
     * @throws IllegalStateException unless quarantined with so much posted
     */
    public void releaseAfterQueuePairDestroyed(int workRequests) {
        pool.endQuarantine(this, workRequests);
    }

    int firstFrame() {
        return firstFrame;
    }

    /** Counts a region over this memory that a device may keep for ever. */
    void countLeakedRegion() {
        pool.slab().countLeakedRegion();
    }

    /** The region that was counted is gone after all: ends the quarantine that it caused. */
    void leakedRegionIsGone() {
        pool.slab().leakedRegionIsGone();
        releaseAfterQueuePairDestroyed(1);
    }

    /** Marks the lease as released, under the pool's lock. Posted work stays counted. */
    LeaseState markReleased() {
        int before;
        LeaseState next;
        do {
            before = stateAndPosted.get();
            next = switch (stateOf(before)) {
                case HELD -> postedOf(before) == 0 ? LeaseState.RETURNED : LeaseState.DRAINING;
                case QUARANTINED -> LeaseState.QUARANTINED;
                case DRAINING, RETURNED -> throw misuse("released");
            };
            if (released) {
                throw misuse("released");
            }
        } while (!move(before, next, postedOf(before)));
        released = true;
        return next;
    }

    /**
     * Marks the lease as quarantined, under the pool's lock.
     *
     * @return true if it was not quarantined before
     */
    boolean markQuarantined(String reason) {
        int before;
        do {
            before = stateAndPosted.get();
            if (stateOf(before) == LeaseState.RETURNED) {
                throw misuse("quarantined");
            }
        } while (!move(before, LeaseState.QUARANTINED, postedOf(before)));
        openQuarantines++;
        quarantineReason = quarantineReason.isEmpty() ? reason : quarantineReason + "; " + reason;
        return openQuarantines == 1;
    }

    /** Takes note that a queue pair is destroyed, under the pool's lock. */
    LeaseState markQueuePairDestroyed(int workRequests) {
        int before;
        LeaseState next;
        int left;
        do {
            before = stateAndPosted.get();
            if (stateOf(before) != LeaseState.QUARANTINED || workRequests < 0 || workRequests > postedOf(before)) {
                throw misuse("told that a queue pair with " + workRequests + " work requests is gone");
            }
            left = postedOf(before) - workRequests;
            next = openQuarantines > 1 ? LeaseState.QUARANTINED : stateWithoutDoubt(left);
        } while (!move(before, next, left));
        openQuarantines--;
        return next;
    }

    private LeaseState stateWithoutDoubt(int posted) {
        if (!released) {
            return LeaseState.HELD;
        }
        return posted == 0 ? LeaseState.RETURNED : LeaseState.DRAINING;
    }

    LeaseStatus status() {
        int word = stateAndPosted.get();
        return new LeaseStatus(
                id, owner, stateOf(word), offset(), bytes, postedOf(word), grantedNanos, quarantineReason);
    }

    private boolean move(int before, LeaseState next, int posted) {
        if (stateOf(before) != next && !stateOf(before).mayBecome(next)) {
            throw misuse("to become " + next);
        }
        return stateAndPosted.compareAndSet(before, word(next, posted));
    }

    private void requireHeld(String what) {
        if (state() != LeaseState.HELD) {
            throw misuse(what);
        }
    }

    private static void requirePositive(int workRequests) {
        if (workRequests <= 0) {
            throw new IllegalArgumentException("work requests are counted from 1, not " + workRequests);
        }
    }

    private IllegalStateException misuse(String what) {
        return new IllegalStateException(
                this + " was " + what + "; its history: " + pool.ledger().historyOf(id));
    }

    @SuppressWarnings("EnumOrdinal") // Packed for compare-and-set, and never leaves this object.
    private static int word(LeaseState state, int posted) {
        return state.ordinal() << POSTED_BITS | posted;
    }

    private static LeaseState stateOf(int word) {
        return STATES[word >>> POSTED_BITS];
    }

    private static int postedOf(int word) {
        return word & MAX_POSTED;
    }

    @Override
    public String toString() {
        LeaseStatus now = status();
        return "lease " + id + " (" + now.owner() + ", " + now.state() + ", " + bytes + " bytes at " + offset() + ", "
                + now.posted() + " posted)";
    }
}
