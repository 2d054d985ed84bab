package io.boltshuffle.testing;

import io.boltshuffle.rdma.link.RegisteredRange;
import io.boltshuffle.rdma.memory.Lease;
import io.boltshuffle.rdma.memory.RegistrationRequest;
import java.nio.ByteBuffer;

/** A lease seen by a device that needs no keys, and whose memory regions are as small as they may be. */
public class KeylessRange implements RegisteredRange {

    private static final long REGION_BYTES = RegistrationRequest.SMALLEST_PIECE_BYTES;

    private final Lease lease;

    public KeylessRange(Lease lease) {
        this.lease = lease;
    }

    @Override
    public final long address() {
        return lease.address();
    }

    @Override
    public final long bytes() {
        return lease.bytes();
    }

    @Override
    public final int localKey(long offset) {
        return 0;
    }

    @Override
    public final int remoteKey(long offset) {
        return 0;
    }

    @Override
    public final long bytesToRegionEnd(long offset) {
        return REGION_BYTES - (lease.offset() + offset) % REGION_BYTES;
    }

    @Override
    public ByteBuffer slice(long offset, int bytes) {
        return lease.view(offset, bytes);
    }

    @Override
    public final void retain() {
        lease.posted(1);
    }

    @Override
    public final void release() {
        lease.completed(1);
    }

    @Override
    public final void quarantine(String reason) {
        lease.quarantine(reason);
    }

    @Override
    public final void endQuarantine() {
        lease.releaseAfterQueuePairDestroyed(1);
    }
}
