package io.boltshuffle.rdma;

/** A completion queue. Polling makes no system call and never blocks; there are no completion events here. */
public interface CompletionQueue extends AutoCloseable {

    /** Room for the completions of one poll, to be reused. */
    Completions newCompletions(int capacity);

    /**
     * Takes up to the capacity of {@code into}, replacing what was in it.
     *
     * @return how many were taken, 0 if none is there
     */
    int poll(Completions into) throws VerbsException;

    /** Destroys it, after its queue pairs. Nobody may poll any more. */
    @Override
    void close() throws VerbsException;
}
