package io.boltshuffle.rdma;

/** An operation that a device may do with a memory region or through a queue pair. */
public enum AccessFlag {
    LOCAL_WRITE,
    REMOTE_WRITE,
    REMOTE_READ
}
