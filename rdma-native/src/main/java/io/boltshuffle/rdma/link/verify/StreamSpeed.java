package io.boltshuffle.rdma.link.verify;

/**
 * Checked throughput to this side.
 *
 * @param messageBytes per message
 * @param windowBytes under way at once
 */
public record StreamSpeed(int messageBytes, int windowBytes, double gigabytesPerSecond) {}
