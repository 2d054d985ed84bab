package io.boltshuffle.rdma.memory;

/**
 * The facts with which a process maps a slab, and makes sure that it mapped that slab and not an earlier or later one
 * of the same name.
 *
 * @param location where it is
 * @param bytes its size
 * @param identityHigh upper half of a random number that its owner drew
 * @param identityLow lower half
 */
public record SlabDescriptor(SlabLocation location, long bytes, long identityHigh, long identityLow) {}
