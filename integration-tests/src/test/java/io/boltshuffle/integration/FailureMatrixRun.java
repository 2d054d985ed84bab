package io.boltshuffle.integration;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Something fails under a running job, and the job does not notice: the result is right, in time, and no stage runs
 * again that stock Spark would not run again. After each row blocks go by RDMA again and agents have their memory back;
 * in the end no process is left.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("slow")
abstract class FailureMatrixRun {

    private final Fabric fabric;
    private final List<FailureRow> rows;
    private FaultyCluster cluster;

    FailureMatrixRun(Fabric fabric, List<FailureRow> rows) {
        this.fabric = fabric;
        this.rows = rows;
    }

    /** Makes a cluster. */
    interface Fabric {
        FaultyCluster clusterIn(Path directory) throws IOException;
    }

    @BeforeAll
    void start(@TempDir Path directory) throws IOException {
        cluster = fabric.clusterIn(directory);
    }

    @AfterAll
    void stop() throws IOException {
        if (cluster != null) { // where this was skipped, there is none
            cluster.close();
        }
    }

    @AfterEach
    void everythingComesBack() throws Exception {
        cluster.heal();
    }

    List<FailureRow> rows() {
        return rows;
    }

    @Tag("ladder")
    @ParameterizedTest
    @MethodSource("rows")
    void aJobIsRightThoughOnTheLadder(FailureRow fault, @TempDir Path meeting) throws Exception {
        strike(fault, meeting);
    }

    void strike(FailureRow fault, Path meeting) throws Exception {
        fault.strike().at(cluster, new StruckJob(cluster, meeting));
    }
}
