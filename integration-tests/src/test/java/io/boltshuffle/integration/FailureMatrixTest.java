package io.boltshuffle.integration;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The failure matrix in send mode, as over Thunderbolt. */
class FailureMatrixTest extends FailureMatrixRun {

    FailureMatrixTest() {
        super(FaultyCluster::sending);
    }

    static List<FailureRow> inEveryBuild() {
        return FailureRow.Runs.EVERY_BUILD.of(FailureMatrix.ROWS);
    }

    static List<FailureRow> inCi() {
        return FailureRow.Runs.CI.of(FailureMatrix.ROWS);
    }

    static List<FailureRow> onTheLadder() {
        return FailureMatrix.ROWS;
    }

    @ParameterizedTest
    @MethodSource("inEveryBuild")
    void aJobIsRightThough(FailureRow fault, @TempDir Path meeting) throws Exception {
        strike(fault, meeting);
    }

    @Tag("versions")
    @ParameterizedTest
    @MethodSource("inCi")
    void aJobIsRightThoughInCi(FailureRow fault, @TempDir Path meeting) throws Exception {
        strike(fault, meeting);
    }

    @Tag("ladder")
    @ParameterizedTest
    @MethodSource("onTheLadder")
    void aJobIsRightThoughOnTheLadder(FailureRow fault, @TempDir Path meeting) throws Exception {
        strike(fault, meeting);
    }
}
