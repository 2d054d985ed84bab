package io.boltshuffle.integration;

/** The failure matrix in send mode, as over Thunderbolt. */
class FailureMatrixTest extends OftenRunFailureMatrix {

    FailureMatrixTest() {
        super(FaultyCluster::sending, FailureMatrix.ROWS);
    }
}
