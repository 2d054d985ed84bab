package io.boltshuffle.integration;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A failure matrix of which every build runs some rows, and CI more. */
abstract class OftenRunFailureMatrix extends FailureMatrixRun {

    OftenRunFailureMatrix(Fabric fabric, List<FailureRow> rows) {
        super(fabric, rows);
    }

    List<FailureRow> rowsOfEveryBuild() {
        return FailureRow.Runs.EVERY_BUILD.of(rows());
    }

    List<FailureRow> rowsOfCi() {
        return FailureRow.Runs.CI.of(rows());
    }

    @ParameterizedTest
    @MethodSource("rowsOfEveryBuild")
    void aJobIsRightThough(FailureRow fault, @TempDir Path meeting) throws Exception {
        strike(fault, meeting);
    }

    @Tag("versions")
    @ParameterizedTest
    @MethodSource("rowsOfCi")
    void aJobIsRightThoughInCi(FailureRow fault, @TempDir Path meeting) throws Exception {
        strike(fault, meeting);
    }
}
