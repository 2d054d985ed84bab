package io.boltshuffle.rdma.link.setup;

import java.util.List;

/**
 * This side's queue pair and the test pattern that it will serve.
 *
 * @param checksums of the pattern, for each message size that calibration may try
 */
record LocalPattern(LocalEnd end, List<int[]> checksums) {}
