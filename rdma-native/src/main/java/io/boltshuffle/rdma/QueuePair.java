package io.boltshuffle.rdma;

import java.util.Set;

/**
 * A queue pair.
 *
 * <p><b>Threads:</b> any thread may change the state. Only the thread that owns the queue pair posts.
 *
 * <p><b>Invariant:</b> the caller counts what is posted. Some devices refuse posts beyond the granted depth; others
 * silently corrupt data.
 */
public interface QueuePair extends AutoCloseable {

    int number();

    /** Queries the device for the granted depth. This is valid in every state. */
    GrantedDepth grantedDepth() throws VerbsException;

    /** Changes the state from RESET to INIT. */
    void initialize(int port, Set<AccessFlag> access) throws VerbsException;

    /**
     * Changes the state from INIT to RTR. A failed attempt leaks device resources on Apple: never repeat it on the same
     * queue pair.
     *
     * @param pathMtu verbs code: 3 is 1024 bytes, 5 is 4096 bytes
     * @param localGidIndex {@code sgid_index}
     */
    void readyToReceive(int port, int localGidIndex, QueuePairAddress peer, int pathMtu) throws VerbsException;

    /** Changes the state from RTR to RTS. */
    void readyToSend(int packetSequenceNumber) throws VerbsException;

    /** Allocates a reusable batch of send-queue work requests for this queue pair. */
    SendBatch newSendBatch(int capacity);

    /** Allocates a reusable batch of receive work requests for this queue pair. */
    ReceiveBatch newReceiveBatch(int capacity);

    /**
     * Posts the whole batch as one chain, and clears it.
     *
     * @throws VerbsException if the device refused; on Apple's provider it is then unknown how many requests it
     * accepted, so the caller must give the queue pair up
     */
    void post(SendBatch batch) throws VerbsException;

    /** Posts a batch to the receive queue, as {@link #post(SendBatch)} does to the send queue. */
    void post(ReceiveBatch batch) throws VerbsException;

    /**
     * Destroys the queue pair. Its owner must have stopped posting. Afterwards no device writes into the memory of
     * posted requests; if this method throws, that is not certain.
     */
    @Override
    void close() throws VerbsException;
}
