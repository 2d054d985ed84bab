package io.boltshuffle.rdma.link;

import io.boltshuffle.rdma.memory.Lease;

/**
 * Part of a registered range, all in one memory region.
 *
 * @param offset bytes from the start of the range, a multiple of the frame
 * @param bytes at least 1
 */
public record RangePart(RegisteredRange range, long offset, long bytes) {

    public RangePart {
        if (offset < 0 || bytes < 1 || offset > range.bytes() - bytes) {
            throw new IllegalArgumentException(
                    "part " + offset + "+" + bytes + " is not within a range of " + range.bytes() + " bytes");
        }
        if (offset % Lease.FRAME_BYTES != 0) {
            throw new IllegalArgumentException("part offset " + offset + " is not on a frame boundary");
        }
        if (bytes > range.bytesToRegionEnd(offset)) {
            throw new IllegalArgumentException(
                    "part " + offset + "+" + bytes + " of " + range + " crosses from one memory region into another");
        }
    }

    /** Returns the whole range. */
    public static RangePart all(RegisteredRange range) {
        return new RangePart(range, 0, range.bytes());
    }

    public long address() {
        return range.address() + offset;
    }

    public int localKey() {
        return range.localKey(offset);
    }

    public int remoteKey() {
        return range.remoteKey(offset);
    }
}
