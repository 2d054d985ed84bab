package io.boltshuffle.rdma.link;

import io.boltshuffle.rdma.memory.Lease;
import io.boltshuffle.rdma.memory.SlabRegistration;
import java.nio.ByteBuffer;

/**
 * A lease as a link's device sees it. Holds are counted as posted work, so the pool itself keeps the memory back until
 * the link has let go, whatever its owner does.
 *
 * <p><b>Ownership:</b> the lease stays with its owner, which releases it when done.
 */
public final class LeasedRange implements RegisteredRange {

    private final Lease lease;
    private final SlabRegistration registration;

    /** @param registration of the lease's slab with the link's device */
    public LeasedRange(Lease lease, SlabRegistration registration) {
        this.lease = lease;
        this.registration = registration;
    }

    @Override
    public long address() {
        return lease.address();
    }

    @Override
    public long bytes() {
        return lease.bytes();
    }

    @Override
    public int localKey(long offset) {
        return registration.localKey(lease.offset() + offset);
    }

    @Override
    public int remoteKey(long offset) {
        return registration.remoteKey(lease.offset() + offset);
    }

    @Override
    public long bytesToRegionEnd(long offset) {
        return registration.bytesToPieceEnd(lease.offset() + offset);
    }

    @Override
    public ByteBuffer slice(long offset, int bytes) {
        return lease.view(offset, bytes);
    }

    @Override
    public void retain() {
        lease.posted(1);
    }

    @Override
    public void release() {
        lease.completed(1);
    }

    @Override
    public void quarantine(String reason) {
        lease.quarantine(reason);
    }

    @Override
    public void endQuarantine() {
        lease.releaseAfterQueuePairDestroyed(1);
    }

    @Override
    public String toString() {
        return lease.toString();
    }
}
