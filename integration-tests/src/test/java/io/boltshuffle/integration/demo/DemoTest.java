package io.boltshuffle.integration.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.boltshuffle.os.ProcessTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class DemoTest {
    private final Path directory;
    private final Path work;
    private final Path temporary;
    private final UnpackedBolt bolt;

    DemoTest(@TempDir Path directory) throws IOException {
        this.directory = directory;
        this.work = Files.createDirectories(directory.resolve("work with spaces"));
        this.temporary = Files.createDirectories(directory.resolve("temporary"));
        this.bolt = UnpackedBolt.in(directory.resolve("a bolt"));
    }

    /**
     * Runs the first of the two commands as it stands there; the second is the tests, this one among them. The demo
     * fails when an output is wrong, or less than 99 % came by RDMA.
     */
    @Tag("ci")
    @Test
    void theMainJobOfTheReadmeEndsWithValidatedJobsByRdma() throws Exception {
        UnpackedBolt.requireRoomForHosts(2);
        BuiltCheckout checkout = BuiltCheckout.in(directory);
        List<String> blocks = PageBlocks.runBy(DemoTest.class, "README.md");
        assertThat(blocks)
                .singleElement()
                .satisfies(block -> assertThat(block.lines()).hasSize(2).last().isEqualTo("spark-conf/bin/bolt test"));
        String demo = blocks.get(0).lines().findFirst().orElseThrow();
        List<Path> before = filesIn(checkout.root());

        try (RunningBolt shell = checkout.paste(demo, temporary)) {
            assertThat(shell.exitCode()).as(shell.err()).isZero();
            assertThat(shell.out())
                    .containsPattern("(?m)^output( +valid){6}$")
                    .containsPattern("(?m)^share by rdma( +- +(99|100)\\.?\\d* %){3}$");
        }

        assertThat(temporary).isEmptyDirectory();
        assertThat(filesIn(checkout.root())).isEqualTo(before);
        assertNothingRunsIn(directory);
    }

    @Tag("ci")
    @Test
    void anExecutorKilledInTheMiddleOfAJobDoesNotHarmIt() throws Exception {
        try (RunningBolt demo = demo("--size", "8m", "--job", "terasort")) {
            demo.awaitLog("boltshuffle", "Starting task 0.0 in stage 2.0");
            demo.executors().get(0).destroyForcibly();
            demo.awaitLog("boltshuffle", "Lost executor");

            assertThat(demo.exitCode()).as(demo.err()).isZero();
            assertThat(DemoFigures.parse(demo.out()).withPlugin())
                    .hasSize(1)
                    .allSatisfy(run -> assertThat(run.get("valid").asBoolean()).isTrue());
        }
    }

    @Tag("ci")
    @Test
    void interruptedInTheMiddleOfAJobItLeavesNothingBehind() throws Exception {
        UnpackedBolt.requireRoomForHosts(2);
        try (RunningBolt demo =
                demo("--size", "8m", "--job", "terasort", "--cables", "send", "--emulator", BuiltCheckout.EMULATOR)) {
            demo.awaitLog("stock", "Starting task 0.0 in stage 0.0");
            List<ProcessHandle> started = demo.descendants();
            demo.terminate();

            assertThat(demo.exitCode()).isEqualTo(143);
            // A master, a driver; and a worker, an agent and an executor for each host.
            assertThat(started).hasSizeGreaterThanOrEqualTo(8).noneMatch(ProcessTree::isAlive);
        }
        assertThat(work).isEmptyDirectory();
    }

    @Test
    void tooLittleDiskIsSaidBeforeAnythingStarts() throws Exception {
        try (RunningBolt demo = demo("--size", "900000g")) {
            assertThat(demo.exitCode()).isEqualTo(3);
            assertThat(demo.err()).contains("MB are free at " + work).contains("--size");
        }
        assertThat(work).isEmptyDirectory();
    }

    /** The newest line runs the demo of the README, and the build's own is in most other tests. */
    @Tag("ci")
    @Test
    void theOldestSparkLineRunsItToo() throws Exception {
        UnpackedBolt.requireRoomForHosts(2);
        try (RunningBolt demo = demo(
                "--size",
                "8m",
                "--job",
                "terasort,feature-prep",
                "--spark",
                "3.5",
                "--cables",
                "send",
                "--emulator",
                BuiltCheckout.EMULATOR)) {
            assertThat(demo.exitCode()).as(demo.err()).isZero();
            assertThat(DemoFigures.parse(demo.out()).withPlugin())
                    .hasSize(2)
                    .allSatisfy(DemoTest::assertEveryRemoteByteWasCounted)
                    .allSatisfy(DemoTest::assertBlocksWentByRdma);
        }
    }

    private static void assertEveryRemoteByteWasCounted(JsonNode run) {
        assertThat(run.get("remoteBytes").asLong())
                .as(run.toString())
                .isPositive()
                .isEqualTo(DemoFigures.bytesByAllTransports(run));
    }

    private static void assertBlocksWentByRdma(JsonNode run) {
        assertThat(run.at("/bytesByTransport/rdma").asLong()).as(run.toString()).isPositive();
    }

    private static List<Path> filesIn(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.sorted().toList();
        }
    }

    private static void assertNothingRunsIn(Path place) {
        assertThat(ProcessHandle.allProcesses()
                        .filter(process ->
                                process.info().commandLine().orElse("").contains(place.toString())))
                .isEmpty();
    }

    private RunningBolt demo(String... arguments) throws IOException {
        ProcessBuilder command = UnpackedBolt.command(bolt.launcher(), "demo", "--json", "--work-dir", work.toString());
        command.command().addAll(List.of(arguments));
        return RunningBolt.start(command, directory, work);
    }
}
