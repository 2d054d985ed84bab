package io.boltshuffle.proof.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shows what is made of the folders that commands left. */
class ResultFolderTest {
    private static final Suite SUITE =
            SuiteCatalogue.named(List.of("BroadcastSuite")).get(0);
    private static final String PASSED = "<testsuite><testcase name=\"a\"/></testsuite>";
    private static final String FAILED = "<testsuite><testcase name=\"a\"><failure/></testcase></testsuite>";

    private final Path first;
    private final Path second;

    ResultFolderTest(@TempDir Path directory) {
        first = directory.resolve("first");
        second = directory.resolve("second");
    }

    @Test
    void whatOneCommandRanIsComparedWithWhatAnotherDid() throws IOException {
        ran(first, "4.2.0", SuiteVariant.STOCK, PASSED);
        ran(second, "3.5.9", SuiteVariant.RDMA, PASSED);
        ran(second, "4.2.0", SuiteVariant.RDMA, FAILED);

        assertThat(merged().faults())
                .containsExactly(
                        "Spark 4.2.0, BroadcastSuite, rdma: 'a' passes with Spark's shuffle and not with ours");
        assertThat(merged().toText()).containsSubsequence("Spark 4.2.0", "Spark 3.5.9");
    }

    @Test
    void aVariantOfTwoCommandsIsARunAndItsRepetition() throws IOException {
        ran(first, "4.2.0", SuiteVariant.STOCK, PASSED);
        ran(first, "4.2.0", SuiteVariant.RDMA, FAILED);
        ran(second, "4.2.0", SuiteVariant.RDMA, PASSED);

        assertThat(merged().faults()).isEmpty();
        assertThat(merged().toText()).contains("unsteady (failed once, passed once): 4.2, BroadcastSuite, rdma: a");
    }

    @Test
    void aRunThatEndedWithItsCommandIsNotThere() throws IOException {
        ran(first, "4.2.0", SuiteVariant.RDMA, PASSED);
        new ResultFolder(second).create("4.2.0", SUITE, SuiteVariant.RDMA, Map.of());

        assertThat(merged().faults()).isEmpty();
    }

    @Test
    void whatAgentsHeldStaysBesideTheRuns() throws IOException {
        ran(first, "4.2.0", SuiteVariant.RDMA, PASSED);
        ran(second, "4.2.0", SuiteVariant.RDMA, PASSED);
        new ResultFolder(first).addLeaks("4.2.0", SUITE, List.of("after BroadcastSuite: pinnedBytes 5"));

        assertThat(merged().faults()).containsExactly("Spark 4.2.0, after BroadcastSuite: pinnedBytes 5");
    }

    @Test
    void aDamagedRunIsNamedWithTheRemedy() throws IOException {
        ran(first, "4.2.0", SuiteVariant.RDMA, PASSED);
        Path run = ran(second, "4.2.0", SuiteVariant.RDMA, PASSED);
        Files.writeString(run.resolve("end.properties"), "seconds=soon");

        assertThatExceptionOfType(BoltException.class)
                .isThrownBy(this::merged)
                .withMessageStartingWith(run + " is not what --results wrote: ")
                .withMessageEndingWith("; leave it out, or run its suite again");
    }

    @Test
    void aFolderThatIsNotThereIsNamed() {
        assertThatExceptionOfType(BoltException.class)
                .isThrownBy(this::merged)
                .withMessage("there is no folder " + first);
    }

    private static Path ran(Path folder, String release, SuiteVariant variant, String report) throws IOException {
        SuiteDirectory run = new ResultFolder(folder).create(release, SUITE, variant, Map.of());
        Files.writeString(run.reports().resolve("TEST-a.xml"), report);
        Files.writeString(run.tallies().resolve("1.properties"), "managers=1\nbytes.rdma=7\n");
        run.end(new SuiteDirectory.End(false, false, 0, 3));
        return run.root();
    }

    private Report merged() {
        return new Verdict(ResultFolder.read(List.of(first, second)), Explanations.parse("# nothing"), true).report();
    }
}
