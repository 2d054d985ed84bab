package io.boltshuffle.rdma;

/**
 * An entry of a port's GID table.
 *
 * @param index position in the table: the {@code sgid_index} to use with it
 * @param gid its content
 */
public record GidEntry(int index, Gid gid) {}
