package io.boltshuffle.rdma;

/** The completions of one poll. Accessors take an index below {@link #count()} and allocate nothing. */
public interface Completions extends AutoCloseable {

    int count();

    long workRequestId(int index);

    /** Verbs status code: 0 is success. See {@link CompletionStatus#of(int)} for the name. */
    int status(int index);

    /** True for a completed receive. Undefined unless the status is success. */
    boolean isReceive(int index);

    /** Bytes received. Undefined unless this is a successful receive or read. */
    int byteLength(int index);

    int queuePairNumber(int index);

    int vendorError(int index);

    /** Frees the native memory. */
    @Override
    void close();
}
