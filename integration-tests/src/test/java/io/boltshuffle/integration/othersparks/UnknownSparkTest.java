package io.boltshuffle.integration.othersparks;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.cli.runtime.SparkLine;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A Spark that says it is of a line that does not exist yet: jobs are left to it, or tried. */
@Tag("slow")
class UnknownSparkTest {
    private static final String JOBS = "io.boltshuffle.integration.UnknownSparkJobs";
    private static final String LEFT_TO_SPARK = JOBS + "#aJobEndsRightByTcpAndTheTabSaysWhy(java.nio.file.Path)";
    private static final String TRIED = JOBS + "#whereTheUserWantsItTriedBlocksGoByRdma(java.nio.file.Path)";

    private final Path directory;

    UnknownSparkTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @Tag("ci")
    @Test
    void itsJobsEndRightByTcpAndOneLineOfTheLogSaysWhy() throws Exception {
        assertIsLeftToSpark(OtherSpark.ownClassPath());
    }

    @Tag("ci")
    @ParameterizedTest
    @MethodSource("newest")
    void soItIsWithTheJarsOfTheNewestLineAndTheyGoByRdmaWhereTheUserWantsItTried(SparkLine line) throws Exception {
        assertIsLeftToSpark(OtherSpark.of(line).classPath());
        assertIsTried(OtherSpark.of(line).classPath());
    }

    @Tag("ladder")
    @ParameterizedTest
    @MethodSource("older")
    void soItIsWithTheJarsOfEachOlderLine(SparkLine line) throws Exception {
        assertIsLeftToSpark(OtherSpark.of(line).classPath());
        assertIsTried(OtherSpark.of(line).classPath());
    }

    static List<SparkLine> newest() {
        return OtherSparksTest.newest();
    }

    static List<SparkLine> older() {
        List<SparkLine> all = OtherSpark.lines();
        return all.subList(0, all.size() - 1);
    }

    private void assertIsLeftToSpark(String classPath) throws Exception {
        TestJvm jvm = run(classPath, LEFT_TO_SPARK);

        assertThat(jvm.code()).as(jvm.output()).isZero();
        assertThat(jvm.output().lines().filter(line -> line.contains("this is Spark 4.9.0")))
                .singleElement()
                .asString()
                .contains("WARN BoltShuffleManager: Shuffles go by Spark's own code and TCP")
                .contains("use a newer boltshuffle, or set spark.boltshuffle.unknownSpark=try");
    }

    private void assertIsTried(String classPath) throws Exception {
        TestJvm jvm = run(classPath, TRIED);

        assertThat(jvm.code()).as(jvm.output()).isZero();
        assertThat(jvm.output()).doesNotContain("this is Spark 4.9.0");
    }

    /** Runs a test with a version of Spark first on its class path, which is the version that Spark says it has. */
    private TestJvm run(String classPath, String test) throws Exception {
        return TestJvm.run(
                version() + File.pathSeparator + classPath,
                "integration-tests",
                Files.createTempDirectory(directory, "run"),
                List.of("--select-method=" + test));
    }

    private Path version() throws IOException {
        Path first = Files.createDirectories(directory.resolve("version"));
        Files.writeString(
                first.resolve("spark-version-info.properties"),
                "version=4.9.0\nuser=nobody\nrevision=0\nbranch=none\ndate=2030-01-01T00:00:00Z\nurl=none\n");
        return first;
    }
}
