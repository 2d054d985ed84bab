package io.boltshuffle.emulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.boltshuffle.os.FreePort;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs verbs programs that others wrote over the virtual Thunderbolt, unchanged: the packages {@code ibverbs-utils} and
 * {@code perftest} of Debian. Skipped, one by one, where they are not installed.
 *
 * <p>The first find the library by its name in {@code LD_LIBRARY_PATH}. Those of perftest also need vendor libraries,
 * which want the real one beside it, so there it goes before the real one by {@code LD_PRELOAD}.
 */
@Tag("ci")
class ForeignToolsTest {

    private static final Path EMULATOR = Path.of("target", "emulator").toAbsolutePath();
    private static final Map<String, String> BY_NAME =
            Map.of("LD_LIBRARY_PATH", EMULATOR.resolve("lib").toString());
    /** Names the library without a path, because {@code LD_PRELOAD} allows none with a space. */
    private static final Map<String, String> BEFORE =
            Map.of("LD_PRELOAD", "libvtb.so", "LD_LIBRARY_PATH", EMULATOR.toString());

    private static final List<String> HOSTS = List.of("host a", "host b", "cable c a:en2 b:en3");
    private static final long TIMEOUT_SECONDS = 60;

    private final Path directory;

    ForeignToolsTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"ibv_rc_pingpong -g 1 -c", "ibv_uc_pingpong -g 1 -c", "ibv_uc_pingpong -g 1 -c -s 1000000 -n 200"
            })
    void aPingPongSeesItsBytes(String command) throws IOException {
        topology("profile linux");
        assertThat(clientOf(command, BY_NAME)).contains("iters in");
    }

    @Test
    void aPingPongRunsUnderApplesRules() throws IOException {
        topology("profile apple", "os 27");
        assertThat(clientOf("ibv_uc_pingpong -g 1 -c", BY_NAME)).contains("iters in");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ib_read_bw", "ib_send_bw -c RC", "ib_send_bw -c UC", "ib_send_bw -c UC -q 4"})
    void bandwidthIsMeasured(String command) throws IOException {
        topology("profile linux");
        String[] result = lastRow(clientOf(command + " -F -x 1 -s 65536 -n 1000", BEFORE));
        assertThat(Double.parseDouble(result[3])).as("average MB/s").isPositive();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ib_send_lat -c RC", "ib_send_lat -c UC", "ib_send_lat -c UC -I 64", "ib_read_lat"})
    void latencyIsMeasured(String command) throws IOException {
        topology("profile linux");
        String[] result = lastRow(clientOf(command + " -F -x 1 -s 64 -n 200", BEFORE));
        assertThat(Double.parseDouble(result[2])).as("least microseconds").isPositive();
    }

    @Test
    void devinfoTellsOfAThunderboltPort() throws IOException {
        assumeInstalled("ibv_devinfo");
        topology("profile apple");
        FinishedProcess devinfo = FinishedProcess.of(start("a", BY_NAME, List.of("ibv_devinfo", "-v")), TIMEOUT_SECONDS)
                .join();
        assertThat(devinfo.exitCode()).isZero();
        assertThat(devinfo.output().replaceAll("\\s+", " "))
                .contains("hca_id: rdma_en2", "PORT_ACTIVE", "max_qp: 10", "max_mr: 100", "active_width: 8X");
    }

    private void topology(String... rules) throws IOException {
        Files.write(
                directory.resolve("topology"),
                Stream.concat(Stream.of(rules), HOSTS.stream()).toList());
    }

    /** Runs the command as server on host a and as client on host b; returns what the client printed. */
    private String clientOf(String command, Map<String, String> library) throws IOException {
        List<String> words = new ArrayList<>(List.of(command.split(" ", -1)));
        assumeInstalled(words.get(0));
        int port = FreePort.ofLoopback();
        words.addAll(List.of("-p", Integer.toString(port)));
        CompletableFuture<FinishedProcess> server = FinishedProcess.of(start("a", library, words), TIMEOUT_SECONDS);
        await().atMost(Duration.ofSeconds(TIMEOUT_SECONDS)).until(() -> server.isDone() || listens(port));
        words.add("127.0.0.1");
        FinishedProcess client =
                FinishedProcess.of(start("b", library, words), TIMEOUT_SECONDS).join();
        assertThat(client.exitCode()).as(client.output()).isZero();
        assertThat(server.join().exitCode()).as(server.join().output()).isZero();
        return client.output();
    }

    private Process start(String host, Map<String, String> library, List<String> words) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
        builder.environment().putAll(library);
        builder.environment()
                .put("BOLT_VTB_TOPOLOGY", directory.resolve("topology").toString());
        builder.environment().put("BOLT_VTB_HOST", host);
        return builder.start();
    }

    private static void assumeInstalled(String tool) {
        boolean installed = Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, tool)));
        assumeTrue(installed, () -> tool + " is not installed");
    }

    /** Looks at the kernel's tables: a connection made to find out would be taken for the client's. */
    private static boolean listens(int port) throws IOException {
        String wanted = String.format(Locale.ROOT, ":%04X", port);
        for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
            for (String line : Files.readAllLines(Path.of(table))) {
                String[] words = line.trim().split("\\s+", -1);
                if (words[1].endsWith(wanted) && words[3].equals("0A")) {
                    return true;
                }
            }
        }
        return false;
    }

    private static String[] lastRow(String output) {
        List<String> rows = output.lines()
                .map(String::trim)
                .filter(line -> line.matches("[0-9]+ .*"))
                .toList();
        assertThat(rows).as(output).isNotEmpty();
        return rows.get(rows.size() - 1).split("\\s+", -1);
    }
}
