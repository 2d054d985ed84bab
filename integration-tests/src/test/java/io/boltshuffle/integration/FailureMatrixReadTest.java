package io.boltshuffle.integration;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The failure matrix in read mode, as over InfiniBand and RoCE. */
@Tag("ladder")
class FailureMatrixReadTest extends FailureMatrixRun {

    FailureMatrixReadTest() {
        super(FaultyCluster::reading);
    }

    static List<FailureRow> onTheLadder() {
        return FailureMatrix.ROWS.stream().filter(FailureRow::everyFabric).toList();
    }

    @ParameterizedTest
    @MethodSource("onTheLadder")
    void aJobIsRightThoughOnTheLadder(FailureRow fault, @TempDir Path meeting) throws Exception {
        strike(fault, meeting);
    }
}
