package io.boltshuffle.integration.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.boltshuffle.os.FreePort;
import io.boltshuffle.os.ProcessTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bolt agent}, as a user runs it. */
@Tag("slow")
class AgentVerbTest {
    private static final String HOST = "127.0.0.2";

    private final Path directory;
    private final Path root;
    private final UnpackedBolt bolt;

    AgentVerbTest(@TempDir Path directory) throws IOException {
        this.directory = directory;
        this.root = directory.resolve("r");
        this.bolt = UnpackedBolt.in(directory.resolve("bolt"));
    }

    @Test
    void anAgentRunsInTheForegroundAnswersAndEndsWhenAsked() throws Exception {
        UnpackedBolt.requireRoomForHosts(1);
        try (RunningBolt agent = agent("a")) {
            agent.awaitSaid("is ready");

            try (RunningBolt status = run("status", "agent", "status", "--root", root.toString(), "--json")) {
                assertThat(status.exitCode()).as(status.err()).isZero();
                JsonNode agents = new ObjectMapper().readTree(status.out());
                assertThat(agents).hasSize(1);
                assertThat(agents.at("/0/host").asText()).isEqualTo(HOST);
            }
            try (RunningBolt status = run("table", "agent", "status", "--root", root.toString(), "--host", HOST)) {
                assertThat(status.exitCode()).as(status.err()).isZero();
                assertThat(status.out()).startsWith("agent of " + HOST + ": pid ");
            }
            List<ProcessHandle> started = agent.descendants();
            agent.terminate();
            assertThat(agent.exitCode()).isEqualTo(143);
            assertThat(started).noneMatch(ProcessTree::isAlive);
            assertThat(agent.out() + agent.err()).contains("asked by a signal");
        }
        try (RunningBolt status = run("status", "agent", "status", "--root", root.toString(), "--host", "nobody")) {
            assertThat(status.exitCode()).isEqualTo(1);
            assertThat(status.err()).contains("no agent runs for nobody");
        }
    }

    @Test
    void aHostWithoutDevicesIsSaidByTheExitCode() throws Exception {
        try (RunningBolt agent = agent("nobody")) {
            assertThat(agent.exitCode()).as(agent.err()).isEqualTo(3);
        }
    }

    private RunningBolt agent(String virtualHost) throws IOException {
        Path topology = Files.write(directory.resolve("topology"), List.of("host a", "host b", "cable c a:en5 b:en5"));
        Path emulator = Path.of(BuiltCheckout.EMULATOR);
        ProcessBuilder command = UnpackedBolt.command(
                bolt.launcher(),
                "agent",
                "--host",
                HOST,
                "--root",
                root.toString(),
                "--conf",
                "spark.boltshuffle.agent.verbsLibrary=" + emulator,
                "--conf",
                "spark.boltshuffle.agent.slab=64m",
                "--conf",
                "spark.boltshuffle.agent.port=" + FreePort.of(HOST));
        command.environment().put("BOLT_VTB_TOPOLOGY", topology.toString());
        command.environment().put("BOLT_VTB_HOST", virtualHost);
        return RunningBolt.start(command, Files.createDirectories(directory.resolve("agent")), directory);
    }

    private RunningBolt run(String name, String... arguments) throws IOException {
        return RunningBolt.start(
                UnpackedBolt.command(bolt.launcher(), arguments),
                Files.createDirectories(directory.resolve(name)),
                directory);
    }
}
