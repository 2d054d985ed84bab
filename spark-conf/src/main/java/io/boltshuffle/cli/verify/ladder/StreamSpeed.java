package io.boltshuffle.cli.verify.ladder;

/**
 * Checked throughput to this side.
 *
 * @param messageBytes per message
 * @param windowBytes under way at once
 */
public record StreamSpeed(int messageBytes, int windowBytes, double gigabytesPerSecond) {}
