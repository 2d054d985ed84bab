package io.boltshuffle.agent.output;

/**
 * What of the memory for map outputs is in use, and what became of outputs so far.
 *
 * @param limitBytes the memory for outputs; 0 if there is none
 * @param givenUpBytes what there was of it, and a device could not register
 * @param usedBytes lent to tasks or published, in whole frames
 * @param outputs that are published
 * @param blocks of these
 * @param oldestMillis since the oldest of them was published; 0 without any
 * @param published outputs so far
 * @param refused requests for memory so far
 * @param evicted outputs that had to make room so far
 * @param withdrawn outputs whose shuffle or application ended so far
 */
public record OutputsStatus(
        long limitBytes,
        long givenUpBytes,
        long usedBytes,
        int outputs,
        long blocks,
        long oldestMillis,
        long published,
        long refused,
        long evicted,
        long withdrawn) {}
