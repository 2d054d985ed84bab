package io.boltshuffle.integration;

/** The failure matrix in read mode, as over InfiniBand and RoCE. */
class FailureMatrixReadTest extends FailureMatrixRun {

    FailureMatrixReadTest() {
        super(
                FaultyCluster::reading,
                FailureMatrix.ROWS.stream().filter(FailureRow::everyFabric).toList());
    }
}
