package io.boltshuffle.agent.live;

/**
 * Blocks in the memory of this host's processes, for the status.
 *
 * @param owners processes that may be asked
 * @param asked blocks that they are being asked for
 * @param laidOut blocks that they laid out so far
 * @param notLaidOut questions that ended without a block, but for those that were called off
 * @param shared blocks that went to other hosts from a copy that had been laid out for another pull
 * @param keptBytes of copies that are kept for further pulls
 */
public record LiveStatus(int owners, int asked, long laidOut, long notLaidOut, long shared, long keptBytes) {}
