package io.boltshuffle.rdma;

/**
 * The address of a queue pair: all that the other side must know to connect to it.
 *
 * @param lid 16-bit local identifier
 * @param queuePairNumber 24-bit number
 * @param packetSequenceNumber 24-bit first sequence number of what this side sends
 */
public record QueuePairAddress(int lid, int queuePairNumber, int packetSequenceNumber, Gid gid) {}
