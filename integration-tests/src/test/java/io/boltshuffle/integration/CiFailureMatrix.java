package io.boltshuffle.integration;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A failure matrix of which CI runs some rows every time. */
abstract class CiFailureMatrix extends FailureMatrixRun {

    CiFailureMatrix(Fabric fabric, List<FailureRow> rows) {
        super(fabric, rows);
    }

    List<FailureRow> rowsOfCi() {
        return FailureRow.Runs.CI.of(rows());
    }

    @Tag("ci")
    @ParameterizedTest
    @MethodSource("rowsOfCi")
    void aJobIsRightThoughInCi(FailureRow fault, @TempDir Path meeting) throws Exception {
        strike(fault, meeting);
    }
}
