package io.boltshuffle.integration;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The failure matrix of broadcasts, cached partitions and results, in read mode. */
@Tag("ladder")
class BlocksFailureMatrixReadTest extends FailureMatrixRun {

    BlocksFailureMatrixReadTest() {
        super(FaultyCluster::readingWithBlocks);
    }

    static List<FailureRow> onTheLadder() {
        return BlocksFailureMatrix.ROWS;
    }

    @ParameterizedTest
    @MethodSource("onTheLadder")
    void aJobIsRightThoughOnTheLadder(FailureRow fault, @TempDir Path meeting) throws Exception {
        strike(fault, meeting);
    }
}
