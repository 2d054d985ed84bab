package io.boltshuffle.rdma;

/**
 * The request for a new queue pair.
 *
 * @param sendDepth send queue depth; in 4096-byte frames on Apple's provider, in work requests elsewhere
 * @param receiveDepth receive queue depth, same unit
 */
public record QueuePairRequest(
        QueuePairType type,
        CompletionQueue sendCompletions,
        CompletionQueue receiveCompletions,
        int sendDepth,
        int receiveDepth) {}
