package io.boltshuffle.integration.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.os.FreePort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.awaitility.Awaitility;
import org.hamcrest.Matcher;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The same plugin jar adds the tab on the Spark lines that speak javax.servlet, and on those that speak
 * jakarta.servlet.
 */
@Tag("ci")
class TabVersionsTest {
    private static final String JSON = "{\"schema\":1,";

    private final Path directory;
    private final UnpackedBolt bolt;

    TabVersionsTest(@TempDir Path directory) throws IOException {
        this.directory = directory;
        this.bolt = UnpackedBolt.in(directory.resolve("bolt"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.5", "4.0", "4.1", "4.3"})
    void theTabIsThereLiveAndInTheHistoryServer(String line) throws Exception {
        bolt.requireSpark(line, Files.createDirectories(directory.resolve("gather")));
        String application;
        try (RunningBolt running = start("live", program(line))) {
            assertThat(running.exitCode()).as(running.err()).isZero();
            assertThat(running.out()).satisfies(TabVersionsTest::assertIsTheTab).contains(JSON);
            application = running.out()
                    .strip()
                    .substring(running.out().lastIndexOf(TabProgram.APPLICATION) + TabProgram.APPLICATION.length());
        }

        int port = FreePort.ofLoopback();
        List<String> history =
                List.of("history", eventLogs().toString(), "--spark", line, "--port", Integer.toString(port));
        try (RunningBolt running = start("history", history)) {
            String server = "http://127.0.0.1:" + port;
            assertIsTheTab(TabPages.ofHistory(server, application));
            assertThat(TabPages.get(server + "/history/" + application + "/boltshuffle/json"))
                    .hasValueSatisfying(json -> assertThat(json).contains(JSON));
            assertThat(running.err()).contains("starting Spark's history server over " + eventLogs());
            running.terminate();
            assertThat(running.exitCode()).isEqualTo(143);
        }
    }

    private static void assertIsTheTab(String page) {
        assertThat(page)
                .contains(
                        "<h4>Hosts and cables</h4>",
                        "<svg class=\"bolt-cluster\"",
                        "RDMA share",
                        "collect at TabProgram.java",
                        ">localhost</text>");
    }

    private List<String> program(String line) throws IOException {
        return List.of(
                "spark-submit",
                "--spark",
                line,
                "--master",
                "local[2]",
                "--driver-class-path",
                UnpackedBolt.classPathOf(TabProgram.class, Awaitility.class, Matcher.class),
                "--class",
                TabProgram.class.getName(),
                bolt.jar("boltshuffle-cli-").toString(),
                eventLogs().toString());
    }

    private Path eventLogs() throws IOException {
        return Files.createDirectories(directory.resolve("my event logs"));
    }

    private RunningBolt start(String name, List<String> arguments) throws IOException {
        ProcessBuilder command = UnpackedBolt.command(bolt.launcher(), arguments.toArray(String[]::new));
        command.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
        return RunningBolt.start(command, Files.createDirectories(directory.resolve(name)), directory);
    }
}
