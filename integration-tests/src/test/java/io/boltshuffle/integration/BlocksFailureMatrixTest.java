package io.boltshuffle.integration;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The failure matrix of broadcasts, cached partitions and results, in send mode. */
class BlocksFailureMatrixTest extends FailureMatrixRun {

    BlocksFailureMatrixTest() {
        super(FaultyCluster::withBlocks);
    }

    static List<FailureRow> inEveryBuild() {
        return FailureRow.Runs.EVERY_BUILD.of(BlocksFailureMatrix.ROWS);
    }

    static List<FailureRow> inCi() {
        return FailureRow.Runs.CI.of(BlocksFailureMatrix.ROWS);
    }

    static List<FailureRow> onTheLadder() {
        return BlocksFailureMatrix.ROWS;
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
