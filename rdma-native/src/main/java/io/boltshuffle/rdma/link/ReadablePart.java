package io.boltshuffle.rdma.link;

import java.nio.ByteBuffer;

/**
 * What lies from some byte on in memory that peers may read. It is for links in read mode only: their devices read from
 * any address, not only from the beginning of a frame, and all of that memory has one remote key.
 *
 * @param whole which peers may read
 * @param from the first byte of this part
 */
public record ReadablePart(RegisteredRange whole, long from) implements RegisteredRange {

    /** @throws IndexOutOfBoundsException if there is nothing from that byte on */
    public ReadablePart {
        if (from < 0 || from >= whole.bytes()) {
            throw new IndexOutOfBoundsException("byte " + from + " of " + whole);
        }
    }

    /** Returns the start address in this process, which may be any. */
    @Override
    public long address() {
        return whole.address() + from;
    }

    @Override
    public long bytes() {
        return whole.bytes() - from;
    }

    @Override
    public int localKey(long offset) {
        return whole.localKey(from + offset);
    }

    @Override
    public int remoteKey(long offset) {
        return whole.remoteKey(from + offset);
    }

    /** Returns how many bytes have the same remote key: all. */
    @Override
    public long bytesToRegionEnd(long offset) {
        return bytes() - offset;
    }

    @Override
    public ByteBuffer slice(long offset, int bytes) {
        return whole.slice(from + offset, bytes);
    }

    @Override
    public void retain() {
        whole.retain();
    }

    @Override
    public void release() {
        whole.release();
    }

    @Override
    public void quarantine(String reason) {
        whole.quarantine(reason);
    }

    @Override
    public void endQuarantine() {
        whole.endQuarantine();
    }
}
