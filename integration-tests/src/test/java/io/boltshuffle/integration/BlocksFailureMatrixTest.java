package io.boltshuffle.integration;

/** The failure matrix of broadcasts, cached partitions and results, in send mode. */
class BlocksFailureMatrixTest extends CiFailureMatrix {

    BlocksFailureMatrixTest() {
        super(FaultyCluster::withBlocks, BlocksFailureMatrix.ROWS);
    }
}
