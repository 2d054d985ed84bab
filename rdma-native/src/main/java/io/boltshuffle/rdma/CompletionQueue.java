package io.boltshuffle.rdma;

/**
 * A completion queue. A poll makes no system call and never blocks. Completions are looked for, and never announced,
 * because Apple's devices announce none.
 *
 * <p><b>Threads:</b> polled by one thread at a time.
 */
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
