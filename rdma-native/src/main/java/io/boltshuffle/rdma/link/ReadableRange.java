package io.boltshuffle.rdma.link;

import io.boltshuffle.rdma.memory.ReadableRegions;
import java.nio.ByteBuffer;

/**
 * A lease that the link's peer may read: offered by a remote key that opens this lease and nothing else.
 *
 * <p><b>Ownership:</b> the opener of the region keeps it, and closes it once the peer shall read no more.
 */
public record ReadableRange(LeasedRange range, ReadableRegions.Region region) implements RegisteredRange {

    @Override
    public long address() {
        return range.address();
    }

    @Override
    public long bytes() {
        return range.bytes();
    }

    @Override
    public int localKey(long offset) {
        return range.localKey(offset);
    }

    @Override
    public int remoteKey(long offset) {
        return region.remoteKey();
    }

    @Override
    public long bytesToRegionEnd(long offset) {
        return range.bytesToRegionEnd(offset);
    }

    @Override
    public ByteBuffer slice(long offset, int bytes) {
        return range.slice(offset, bytes);
    }

    @Override
    public void retain() {
        range.retain();
    }

    @Override
    public void release() {
        range.release();
    }

    @Override
    public void quarantine(String reason) {
        range.quarantine(reason);
    }

    @Override
    public void endQuarantine() {
        range.endQuarantine();
    }
}
