package io.boltshuffle.rdma;

/** Transports: unreliable connected (all that Thunderbolt has) and reliable connected. */
public enum QueuePairType {
    RELIABLE_CONNECTED,
    UNRELIABLE_CONNECTED
}
