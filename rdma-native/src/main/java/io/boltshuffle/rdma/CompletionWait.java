package io.boltshuffle.rdma;

/**
 * A place where one thread sleeps until a completion comes to one of several queues, or another thread wakes it.
 *
 * <p><b>Threads:</b> one sleeps; any may wake it.
 */
public interface CompletionWait extends AutoCloseable {

    /**
     * Sleeps until a completion is announced to one of the queues, the time is over, or {@link #wake} was called, which
     * may have been before. Takes what is announced. May end early for no reason.
     *
     * @param armed open queues of this library that announce, armed before
     * @param nanos longest sleep
     * @throws VerbsException if one of the queues cannot announce anything any more
     */
    void await(Iterable<? extends CompletionQueue> armed, long nanos) throws VerbsException;

    /** Ends the sleep that is under way, or the next one. After {@link #close} it does nothing. */
    void wake();

    /** No thread may sleep here any more. */
    @Override
    void close();
}
