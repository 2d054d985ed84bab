package io.boltshuffle.rdma;

/** The completions of one poll. Accessors take an index below what the poll returned, and allocate nothing. */
public interface Completions extends AutoCloseable {

    long workRequestId(int index);

    /** Returns the verbs status code: 0 is success. See {@link CompletionStatus#of(int)} for the name. */
    int status(int index);

    /** Returns true for a completed receive. The value is undefined unless the status is success. */
    boolean isReceive(int index);

    /** Returns the bytes received. The value is undefined unless this is a successful receive or read. */
    int byteLength(int index);

    int vendorError(int index);

    /** Frees the native memory. */
    @Override
    void close();
}
