package io.boltshuffle.cli.verify.ladder;

/**
 * The CPU time that the checked stream to this side cost, in seconds per gigabyte; the virtual Thunderbolt's own
 * threads do not count.
 *
 * @param fetching on this side, checksums not included
 * @param serving on the other side, where each offer's checksums were made before
 * @param checksums on this side, of every message that arrived; 0 for messages so small (64 KiB) that a link checks
 *     them in passing, which is part of fetching then
 * @param idleShare of one core, on this side, while the link was up with nothing to do
 */
public record StreamCost(double fetching, double serving, double checksums, double idleShare) {}
