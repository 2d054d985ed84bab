package io.boltshuffle.rdma;

/**
 * A completion queue. A poll makes no system call and never blocks. Where the device has a completion channel, a thread
 * that found the queue empty may sleep in a {@link CompletionWait}; Apple's devices have none.
 *
 * <p><b>Threads:</b> polled and armed by one thread at a time.
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

    /** Returns whether completions can be announced. If not, they have to be looked for. */
    default boolean isAnnounced() {
        return false;
    }

    /**
     * Has the next completion announced, once. One that is in the queue already may not be: poll once more after this
     * and before sleeping.
     *
     * @throws IllegalStateException if this queue announces nothing
     */
    default void arm() throws VerbsException {
        throw new IllegalStateException("this completion queue announces nothing");
    }

    /** Destroys the queue, after its queue pairs. No thread may poll it any more. */
    @Override
    void close() throws VerbsException;
}
