package io.boltshuffle.rdma;

/** A chain of send-queue work requests in native memory. It is filled and posted again and again without allocation. */
public interface SendBatch extends AutoCloseable {

    int capacity();

    int count();

    /**
     * Appends a signaled SEND of one range.
     *
     * @param length bytes, at least 1
     * @throws IllegalStateException if the batch is full
     */
    void addSend(long workRequestId, long address, int length, int localKey);

    /** Appends a signaled RDMA READ. This is valid on reliable connected queue pairs only. */
    void addRead(long workRequestId, long address, int length, int localKey, long remoteAddress, int remoteKey);

    /** Frees the native memory. The caller must not do so while a post is under way. */
    @Override
    void close();
}
