package io.boltshuffle.rdma;

/** The states of a queue pair that this code uses. */
public enum QueuePairState {
    RESET,
    INIT,
    READY_TO_RECEIVE,
    READY_TO_SEND,
    ERROR,
    OTHER
}
