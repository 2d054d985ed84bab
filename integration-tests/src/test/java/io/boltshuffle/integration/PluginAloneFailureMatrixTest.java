package io.boltshuffle.integration;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The failure matrix in send mode, with Spark's own shuffle manager and the plugin alone. */
class PluginAloneFailureMatrixTest extends FailureMatrixRun {

    PluginAloneFailureMatrixTest() {
        super(FaultyCluster::sendingForSparksManager, FailureMatrix.ROWS);
    }

    List<FailureRow> rowsOfEveryBuild() {
        return FailureRow.Runs.EVERY_BUILD.of(rows());
    }

    @Tag("ci")
    @ParameterizedTest
    @MethodSource("rowsOfEveryBuild")
    void aJobIsRightThough(FailureRow fault, @TempDir Path meeting) throws Exception {
        strike(fault, meeting);
    }
}
