package io.boltshuffle.rdma;

/** The port states of verbs, as far as a program must tell them apart. */
public enum PortState {
    DOWN,
    INITIALIZING,
    ARMED,
    ACTIVE,
    UNKNOWN
}
