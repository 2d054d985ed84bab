package io.boltshuffle.rdma;

/** A completion queue. A poll makes no system call and never blocks; this interface has no completion events. */
public interface CompletionQueue extends AutoCloseable {

    /** Allocates reusable room for the completions of one poll. */
    Completions newCompletions(int capacity);

    /**
     * Takes up to the capacity of {@code into}, replacing what was in it.
     *
     * @return how many completions it took; 0 if there were none
     */
    int poll(Completions into) throws VerbsException;

    /** Destroys the queue, after its queue pairs. No thread may poll it any more. */
    @Override
    void close() throws VerbsException;
}
