package io.boltshuffle.integration.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.boltshuffle.integration.OtherAccount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two accounts of the system run jobs on the same hosts at the same time, each with agents of its own. */
@Tag("ladder")
class TwoAccountsTest {
    private final Path directory;

    TwoAccountsTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @Test
    void jobsOfBothGoByRdma() throws Exception {
        OtherAccount.require();
        OtherAccount.opened(directory);
        UnpackedBolt bolt = UnpackedBolt.in(directory.resolve("bolt"));
        bolt.installVirtualThunderbolt();
        OtherAccount.letRead(directory.resolve("bolt"));
        Path home = OtherAccount.directory(directory.resolve("home"));
        Path spark = bolt.gatheredSpark(Files.createDirectories(directory.resolve("gather")));
        Path cache = OtherAccount.directory(directory.resolve("cache"));
        OtherAccount.copy(spark, cache);

        ProcessBuilder others = demo(bolt, OtherAccount.directory(directory.resolve("others")));
        OtherAccount.run(others).directory(home.toFile());
        others.environment().put("HOME", home.toString());
        others.environment().put("BOLT_CACHE", cache.toString());
        Path work = Files.createDirectories(directory.resolve("mine"));
        try (RunningBolt one = RunningBolt.start(demo(bolt, work), logs("one"), work);
                RunningBolt other = RunningBolt.start(others, logs("other"), directory.resolve("others"))) {
            one.awaitLog("boltshuffle", "Starting task");
            other.awaitLog("boltshuffle", "Starting task");

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

    private Path logs(String name) throws IOException {
        return Files.createDirectories(directory.resolve("logs").resolve(name));
    }
}
