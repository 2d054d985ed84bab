package io.boltshuffle.integration;

/** The failure matrix of broadcasts, cached partitions and results, in read mode. */
class BlocksFailureMatrixReadTest extends FailureMatrixRun {

    BlocksFailureMatrixReadTest() {
        super(FaultyCluster::readingWithBlocks, BlocksFailureMatrix.ROWS);
    }
}
