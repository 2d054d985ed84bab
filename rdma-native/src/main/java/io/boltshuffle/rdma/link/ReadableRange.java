package io.boltshuffle.rdma.link;

import io.boltshuffle.rdma.memory.ReadableRegions;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A lease that the link's peer may read: offered by a remote key that opens this lease and nothing else.
 *
 * <p><b>Ownership:</b> the opener of the region keeps it, and closes it once the peer shall read no more and no link
 * holds the range: a READ of a region that is gone would end the peer's queue pair.
 */
public final class ReadableRange implements RegisteredRange {
    private final LeasedRange range;
    private final ReadableRegions.Region region;
    private int holds; // guarded by this
    private @Nullable Runnable whenLetGo; // guarded by this

    public ReadableRange(LeasedRange range, ReadableRegions.Region region) {
        this.range = range;
        this.region = region;
    }

    public ReadableRegions.Region region() {
        return region;
    }

    @Override
    public String toString() {
        return range + ", which a peer may read";
    }

    /** Runs the action once no link holds the range, and at once if none does now. */
    public void whenLetGo(Runnable action) {
        synchronized (this) {
            if (holds > 0) {
                whenLetGo = action;
                return;
            }
        }
        action.run();
    }

    private void letGo() {
        Runnable next;
        synchronized (this) {
            holds--;
            if (holds > 0 || whenLetGo == null) {
                return;
            }
            next = whenLetGo;
            whenLetGo = null;
        }
        next.run();
    }

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
        range.retain(); // first: it throws where the memory is in quarantine, and then there is no hold
        synchronized (this) {
            holds++;
        }
    }

    @Override
    public void release() {
        range.release();
        letGo();
    }

    @Override
    public void quarantine(String reason) {
        range.quarantine(reason);
        letGo();
    }

    @Override
    public void endQuarantine() {
        range.endQuarantine();
    }
}
