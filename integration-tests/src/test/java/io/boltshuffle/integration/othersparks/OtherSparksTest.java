package io.boltshuffle.integration.othersparks;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.cli.runtime.SparkLine;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests of this build on the jars of Sparks that it was not compiled against: of {@code -Dother.spark=DIRECTORY}, or of
 * every line.
 */
class OtherSparksTest {
    private static final String SPARK = "io.boltshuffle.spark.";
    private static final Path TESTS =
            Path.of("../shuffle-manager/target/test-classes").toAbsolutePath();

    /** Classes of the plugin that look something of Spark's up by its name, and the tests that miss it. */
    private static final Map<String, String> LOOKED_UP = Map.of(
            "read.SparkCompat", "LocalShuffleTest",
            "block.BoltBlockTransfer$WithChecksum", "block.BoltBlockTransferTest",
            "fetch.BlockManagerField", "fetch.BlockManagerFieldTest",
            "rows.RowFormat", "rows.RowIteratorTest",
            "ui.SparkJson", "ui.TabTest",
            "ui.SparkPage", "ui.TabTest",
            "ui.StageNames", "ui.TabTest",
            "ui.StreamingShuffles", "ui.StreamingShufflesTest",
            "write.SparkVersions", "write.SparkVersionsTest");

    /** Jobs in which something that silently went by TCP would be missed. */
    private static final List<String> JOBS =
            List.of("RdmaShuffleTest", "PluginAloneTest", "LiveBlocksJobsTest", "UiTabTest");

    private static final List<String> NOT_CIS = List.of("ladder", "soft-roce");

    private static final List<String> NOT_EVERY_BUILDS = List.of("ci", "ladder", "soft-roce");

    private final Path directory;

    OtherSparksTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @Test
    void everyLookUpByNameHasATest() throws IOException {
        try (ClassPool spark = ClassPool.of(OtherSpark.ownClassPath())) {
            Set<String> found =
                    SparkLinkage.of(List.of(Path.of("../shuffle-manager/target/classes")), spark).reflective().stream()
                            .filter(name -> name.startsWith(SPARK))
                            .map(name -> name.substring(SPARK.length()))
                            .collect(Collectors.toCollection(TreeSet::new));

            assertThat(found).isEqualTo(new TreeSet<>(LOOKED_UP.keySet()));
        }
        assertThat(LOOKED_UP.values())
                .allSatisfy(test -> assertThat(TESTS.resolve((SPARK + test).replace('.', '/') + ".class"))
                        .exists());
    }

    @Tag("ci")
    @ParameterizedTest
    @MethodSource("lines")
    void whatIsLookedUpByNameIsFound(SparkLine line) throws Exception {
        TestJvm jvm = TestJvm.run(
                TESTS + File.pathSeparator + OtherSpark.of(line).classPath(),
                "shuffle-manager",
                directory,
                LOOKED_UP.values().stream()
                        .distinct()
                        .map(test -> "--select-class=" + SPARK + test)
                        .toList());

        assertThat(jvm.code()).as(jvm.output()).isZero();
    }

    @Tag("ci")
    @ParameterizedTest
    @MethodSource("newest")
    void jobsGoByRdma(SparkLine line) throws Exception {
        TestJvm jvm = run(line, JOBS, NOT_CIS);

        assertThat(jvm.code()).as(jvm.output()).isZero();
        assertThat(jvm.output()).doesNotContain("No block goes by RDMA", "go by Netty as without");
    }

    @Tag("ci")
    @ParameterizedTest
    @MethodSource("newest")
    void jobsAreRightThoughThingsFail(SparkLine line) throws Exception {
        TestJvm everyBuilds = run(line, List.of("FailureMatrixTest"), NOT_EVERY_BUILDS);
        TestJvm ofBlocks = run(line, List.of("BlocksFailureMatrixTest"), NOT_CIS);

        assertThat(everyBuilds.code()).as(everyBuilds.output()).isZero();
        assertThat(ofBlocks.code()).as(ofBlocks.output()).isZero();
    }

    private TestJvm run(SparkLine line, List<String> tests, List<String> excludedTags) throws Exception {
        return TestJvm.run(
                OtherSpark.of(line).classPath(),
                "integration-tests",
                Files.createDirectories(directory.resolve("jobs")),
                Stream.concat(
                                tests.stream().map(test -> "--select-class=io.boltshuffle.integration." + test),
                                excludedTags.stream().map(tag -> "--exclude-tag=" + tag))
                        .toList());
    }

    /** Returns the named Spark's line, or the newest: most tests run on the build's, and the demo on every other. */
    static List<SparkLine> newest() {
        List<SparkLine> all = lines();
        return all.subList(all.size() - 1, all.size());
    }

    static List<SparkLine> lines() {
        return OtherSpark.lines();
    }
}
