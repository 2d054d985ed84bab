package io.boltshuffle.rdma.link;

import java.nio.ByteBuffer;

/**
 * A leased range of memory that the link's device has registered, in one memory region or in several that follow each
 * other.
 *
 * <p><b>Ownership:</b> the link holds a range from the moment it is given until it calls exactly one of {@link
 * #release} and {@link #quarantine} per {@link #retain}. Only when the owner and all links have let go may the memory
 * be leased again.
 *
 * <p><b>Threads:</b> all methods may be called from any thread.
 */
public interface RegisteredRange {

    /** Returns the start address in this process, a multiple of 4096. */
    long address();

    long bytes();

    /** Returns the local key of the memory region that contains the byte at this offset. */
    int localKey(long offset);

    /** Returns the remote key of the memory region that contains the byte at this offset. */
    int remoteKey(long offset);

    /** Returns how many bytes from this offset on have the same keys; the number may reach beyond the range. */
    long bytesToRegionEnd(long offset);

    /** Returns a view of its own position and limit over part of the range. */
    ByteBuffer slice(long offset, int bytes);

    /** Adds a hold. */
    void retain();

    /** Takes a hold back: this link's device cannot touch the range any more. */
    void release();

    /** Takes a hold back, but the memory must not be leased again: the device may touch it still. */
    void quarantine(String reason);

    /**
     * Ends one {@link #quarantine}: its queue pair is destroyed after all, so the device cannot touch the range any
     * more.
     */
    void endQuarantine();
}
