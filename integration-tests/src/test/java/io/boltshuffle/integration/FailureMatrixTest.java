package io.boltshuffle.integration;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Something fails under a running job, and the job does not notice: the result is right, in time, and no stage runs again that
 * stock Spark would not run again. After each row blocks go by RDMA again and agents have their memory back; in the end no
 * process is left.
 */
class FailureMatrixTest {

    private static FaultyCluster cluster;

    @BeforeAll
    static void start(@TempDir Path directory) throws IOException {
        cluster = new FaultyCluster(directory);
    }

    @AfterAll
    static void stop() throws IOException {
        cluster.close();
    }

    @AfterEach
    void everythingComesBack() throws Exception {
        cluster.heal();
    }

    static List<Fault> inEveryBuild() {
        return FailureMatrix.ROWS.stream().filter(Fault::inEveryBuild).toList();
    }

    static List<Fault> onTheLadder() {
        return FailureMatrix.ROWS;
    }

    @ParameterizedTest
    @MethodSource("inEveryBuild")
    void aJobIsRightThough(Fault fault, @TempDir Path meeting) throws Exception {
        fault.strike().at(cluster, new StruckJob(cluster, meeting));
    }

    @Tag("ladder")
    @ParameterizedTest
    @MethodSource("onTheLadder")
    void aJobIsRightThoughOnTheLadder(Fault fault, @TempDir Path meeting) throws Exception {
        fault.strike().at(cluster, new StruckJob(cluster, meeting));
    }
}
