package io.boltshuffle.rdma;

/** A chain of receive work requests in native memory. It is filled and posted again and again without allocation. */
public interface ReceiveBatch extends AutoCloseable {

    int capacity();

    int count();

    /**
     * Appends a receive into one range.
     *
     * @param length bytes; on Apple's provider it must span as many 4096-byte frames as the message that lands in it
     * @throws IllegalStateException if the batch is full
     */
    void addReceive(long workRequestId, long address, int length, int localKey);

    /** Frees the native memory. */
    @Override
    void close();
}
