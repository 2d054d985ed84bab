package io.boltshuffle.integration;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The failure matrix in send mode, as over Thunderbolt. Every build runs some of its rows. */
class FailureMatrixTest extends CiFailureMatrix {

    FailureMatrixTest() {
        super(FaultyCluster::sending, FailureMatrix.ROWS);
    }

    List<FailureRow> rowsOfEveryBuild() {
        return FailureRow.Runs.EVERY_BUILD.of(rows());
    }

    @ParameterizedTest
    @MethodSource("rowsOfEveryBuild")
    void aJobIsRightThough(FailureRow fault, @TempDir Path meeting) throws Exception {
        strike(fault, meeting);
    }
}
