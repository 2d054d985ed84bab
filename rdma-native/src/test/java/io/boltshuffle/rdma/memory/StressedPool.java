package io.boltshuffle.rdma.memory;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The pool under all stress tests of one JVM. Each test has an owner of its own, which may have one frame. The pool
 * itself finds memory that comes back twice; memory that never comes back is soon missed.
 */
final class StressedPool {

    private static final int FRAMES = 1 << 15; // several times the states that jcstress has at once
    private static final AtomicLong OWNERS = new AtomicLong();
    private static final LeasePool POOL = open();

    private StressedPool() {}

    private static LeasePool open() {
        Slab slab = TestSlabs.createSparse((long) FRAMES * Lease.FRAME_BYTES);
        try {
            slab.unlink(); // it is never closed
        } catch (SlabException e) {
            throw new AssertionError(e);
        }
        PoolLimits limits = new PoolLimits(Lease.FRAME_BYTES, FRAMES, 1);
        return new LeasePool(slab, slab.bytes(), limits, new VirtualClock(), Runnable::run);
    }

    static LeasePool pool() {
        return POOL;
    }

    static LeaseOwner newOwner() {
        return new LeaseOwner("owner " + OWNERS.incrementAndGet());
    }

    static Lease lease(LeaseOwner owner) {
        return POOL.tryAcquire(owner, Lease.FRAME_BYTES).orElseThrow();
    }

    /** A lease that a device may touch. */
    static Lease posted(int workRequests) {
        Lease lease = lease(newOwner());
        lease.posted(workRequests);
        return lease;
    }
}
