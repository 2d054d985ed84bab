package io.boltshuffle.integration.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.boltshuffle.cli.base.ShortCommand;
import io.boltshuffle.os.SystemCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two accounts of the system run jobs on the same hosts at the same time, each with agents of its own. */
@Tag("ladder")
class TwoAccountsTest {
    private static final Duration SOON = Duration.ofMinutes(2);
    private static final int NOBODY = 65534;

    /** The words that run a command as the other account. */
    private static final List<String> AS_NOBODY =
            List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups");

    private final Path directory;

    TwoAccountsTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @Test
    void jobsOfBothGoByRdma() throws Exception {
        assumeTrue(
                SystemCommand.run(SOON, new ProcessBuilder(words(AS_NOBODY, "true")))
                                .exitCode()
                        == 0,
                "this test needs root and setpriv, to run a program as another account");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        UnpackedBolt bolt = UnpackedBolt.in(directory.resolve("bolt"));
        bolt.installVirtualThunderbolt();
        Path home = ownedByNobody("home");
        Path spark = bolt.gatheredSpark(Files.createDirectories(directory.resolve("gather")));
        Path cache = ownedByNobody("cache");
        ShortCommand.run(SOON, List.of("cp", "-R", spark.toString(), cache.toString()));
        ShortCommand.run(SOON, List.of("chmod", "-R", "a+rX", directory.toString()));

        ProcessBuilder others = demo(bolt, ownedByNobody("others"));
        others.command(words(AS_NOBODY, others.command().toArray(String[]::new)))
                .directory(home.toFile());
        others.environment().put("HOME", home.toString());
        others.environment().put("BOLT_CACHE", cache.toString());
        Path work = Files.createDirectories(directory.resolve("mine"));
        try (RunningBolt one = RunningBolt.start(demo(bolt, work), logs("one"), work);
                RunningBolt other = RunningBolt.start(others, logs("other"), directory.resolve("others"))) {
            one.awaitLog("terasort-boltshuffle", "Starting task");
            other.awaitLog("terasort-boltshuffle", "Starting task");

            assertBlocksWentByRdma(one);
            assertBlocksWentByRdma(other);
        }
        assertThat(work).isEmptyDirectory();
        assertThat(directory.resolve("others")).isEmptyDirectory();
    }

    private static ProcessBuilder demo(UnpackedBolt bolt, Path work) {
        return UnpackedBolt.command(
                bolt.launcher(), "demo", "--json", "--job", "terasort", "--size", "20m", "--work-dir", work.toString());
    }

    /** The demo fails if an output is wrong. */
    private static void assertBlocksWentByRdma(RunningBolt demo) throws Exception {
        assertThat(demo.exitCode()).as(demo.err()).isZero();
        assertThat(DemoFigures.parse(demo.out()).withPlugin())
                .hasSize(1)
                .allSatisfy((JsonNode run) ->
                        assertThat(run.at("/bytesByTransport/rdma").asLong()).isPositive());
    }

    private Path ownedByNobody(String name) throws IOException {
        Path owned = Files.createDirectories(directory.resolve(name));
        Files.setAttribute(owned, "unix:uid", NOBODY);
        return owned;
    }

    private Path logs(String name) throws IOException {
        return Files.createDirectories(directory.resolve("logs").resolve(name));
    }

    private static List<String> words(List<String> first, String... more) {
        List<String> words = new ArrayList<>(first);
        words.addAll(List.of(more));
        return words;
    }
}
