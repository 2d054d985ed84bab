package io.boltshuffle.integration;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Something fails under a running job, and the job does not notice: the result is right, in time, and no stage runs
 * again that stock Spark would not run again. After each row blocks go by RDMA again and agents have their memory back;
 * in the end no process is left.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class FailureMatrixRun {

    private final Fabric fabric;
    private FaultyCluster cluster;

    FailureMatrixRun(Fabric fabric) {
        this.fabric = fabric;
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

    void strike(FailureRow fault, Path meeting) throws Exception {
        fault.strike().at(cluster, new StruckJob(cluster, meeting));
    }
}
