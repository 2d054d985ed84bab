package io.boltshuffle.rdma;

import java.util.Set;

/**
 * A queue pair.
 *
 * <p><b>Threads:</b> state changes and queries from any; posting from the one thread that owns it, never concurrently.
 *
 * <p><b>Invariant:</b> the caller counts what is posted. Over-posting is refused by some devices and silently corrupts
 * on others.
 */
public interface QueuePair extends AutoCloseable {

    int number();

    QueuePairType type();

    /** Asks the device. Valid in every state. */
    GrantedDepth grantedDepth() throws VerbsException;

    /** Asks the device. */
    QueuePairState state() throws VerbsException;

    /** RESET to INIT. */
    void initialize(int port, Set<AccessFlag> access) throws VerbsException;

    /**
     * INIT to RTR. A failed attempt leaks device resources on Apple: never repeat it on the same queue pair.
     *
     * @param pathMtu verbs code: 3 is 1024 bytes, 5 is 4096 bytes
     * @param localGidIndex {@code sgid_index}
     */
    void readyToReceive(int port, int localGidIndex, QueuePairAddress peer, int pathMtu) throws VerbsException;

    /** RTR to RTS. */
    void readyToSend(int packetSequenceNumber) throws VerbsException;

    /** To ERROR: flushes what is posted. Not to be used on Apple's provider before teardown. */
    void fail() throws VerbsException;

    /** A reusable batch of send-queue work requests for this queue pair. */
    SendBatch newSendBatch(int capacity);

    /** A reusable batch of receive work requests for this queue pair. */
    ReceiveBatch newReceiveBatch(int capacity);

    /**
     * Posts the whole batch as one chain, and clears it.
     *
     * @throws VerbsException if the device refused; how many it accepted is then unknown on Apple's provider, so the
     *     queue pair must be given up
     */
    void post(SendBatch batch) throws VerbsException;

    /** As {@link #post(SendBatch)}, for the receive queue. */
    void post(ReceiveBatch batch) throws VerbsException;

    /**
     * Destroys it. Its owner must have stopped posting. Afterwards nothing writes into the memory of what was posted;
     * if this throws, that is not known.
     */
    @Override
    void close() throws VerbsException;
}
