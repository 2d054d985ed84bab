package io.boltshuffle.rdma.link;

import io.boltshuffle.rdma.memory.Lease;
import io.boltshuffle.rdma.memory.SlabRegistration;
import java.nio.ByteBuffer;

/**
 * A lease as a link's device sees it. Holds are counted as posted work, so the pool itself keeps the memory back until the
 * link has let go, whatever its owner does.
 *
 * <p><b>Ownership:</b> of the lease stays with whoever leased it, who releases it when done.
 */
public final class LeasedRange implements RegisteredRange {

    private final Lease lease;
    private final int localKey;
    private final int remoteKey;

    /**
     * @param registration of the lease's slab with the link's device
     * @throws IllegalArgumentException if the lease is in two memory regions
     */
    public LeasedRange(Lease lease, SlabRegistration registration) {
        if (lease.bytes() > registration.bytesToPieceEnd(lease.offset())) {
            throw new IllegalArgumentException(lease + " crosses from one memory region into another");
        }
        this.lease = lease;
        this.localKey = registration.localKey(lease.offset());
        this.remoteKey = registration.remoteKey(lease.offset());
    }

    public Lease lease() {
        return lease;
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
    public int localKey() {
        return localKey;
    }

    @Override
    public int remoteKey() {
        return remoteKey;
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
    public String toString() {
        return lease.toString();
    }
}
