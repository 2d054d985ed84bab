package io.boltshuffle.rdma;

/** The transports: unreliable connected, the only one that Thunderbolt has, and reliable connected. */
public enum QueuePairType {
    RELIABLE_CONNECTED,
    UNRELIABLE_CONNECTED
}
