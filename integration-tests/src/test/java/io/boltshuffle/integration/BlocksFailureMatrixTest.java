package io.boltshuffle.integration;

/** The failure matrix of broadcasts, cached partitions and results, in send mode. */
class BlocksFailureMatrixTest extends OftenRunFailureMatrix {

    BlocksFailureMatrixTest() {
        super(FaultyCluster::withBlocks, BlocksFailureMatrix.ROWS);
    }
}
