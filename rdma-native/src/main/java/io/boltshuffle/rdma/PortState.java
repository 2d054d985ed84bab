package io.boltshuffle.rdma;

/** Port states of verbs, as far as a user must tell them apart. */
public enum PortState {
    DOWN,
    INITIALIZING,
    ARMED,
    ACTIVE,
    UNKNOWN
}
