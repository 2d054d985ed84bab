package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.boltshuffle.client.AgentInquiry;
import io.boltshuffle.os.ProcessTree;
import io.boltshuffle.os.Signal;
import io.boltshuffle.rdma.memory.RoomForSlabs;
import io.boltshuffle.rdma.memory.Slab;
import io.boltshuffle.wire.MeetingPlace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Executors, as processes, that start the agent of their host. */
@Tag("slow")
class AgentAutoStartTest {

    private static final String HOST = "127.0.0.2";
    private static final Path EMULATOR = Path.of("..", "rdma-native", "target", "emulator", "libvtb.so");
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long SLAB_BYTES = 64L << 20;

    private final Path directory;
    private final int port;
    private final List<Process> executors = new ArrayList<>();
    private final Set<Long> agents = new HashSet<>();

    AgentAutoStartTest(@TempDir Path directory) throws IOException {
        this.directory = directory;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(HOST))) {
            this.port = socket.getLocalPort();
        }
        Files.write(directory.resolve("topology"), List.of("host a", "host b", "cable c a:en5 b:en5"));
    }

    @AfterEach
    void nothingIsLeft() throws InterruptedException {
        for (Process executor : executors) {
            executor.destroyForcibly().waitFor();
        }
        // Without executors an agent ends by itself.
        await().atMost(PATIENCE)
                .until(() -> agents.stream()
                        .noneMatch(agent -> ProcessHandle.of(agent)
                                .map(ProcessTree::isAlive)
                                .orElse(false)));
    }

    @Test
    void executorsThatComeTogetherStartOneAgentWhichOutlivesThem() throws Exception {
        RoomForSlabs.require(SLAB_BYTES + Slab.PAGE_BYTES);
        Process first = executor("1", "a");
        Process second = executor("2", "a");
        await().atMost(PATIENCE)
                .until(() -> said("1").contains("connected") && said("2").contains("connected"));
        JsonNode status = status();
        assertThat(agentsReady()).isEqualTo(1);
        assertThat(status.at("/executors")).hasSize(2);

        first.destroyForcibly().waitFor();
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(status().at("/executors")).hasSize(1));
        assertThat(status().at("/processId").asLong())
                .isEqualTo(status.at("/processId").asLong());
        second.destroyForcibly().waitFor();
    }

    @Test
    void anAgentThatWasKilledIsStartedAgain() throws Exception {
        RoomForSlabs.require(SLAB_BYTES + Slab.PAGE_BYTES);
        executor("1", "a");
        await().atMost(PATIENCE).until(() -> said("1").contains("connected"));
        long killed = status().at("/processId").asLong();
        Signal.KILL.send(killed);
        await().atMost(PATIENCE)
                .until(() -> said("1").stream().filter("connected"::equals).count() == 2);
        assertThat(status().at("/processId").asLong()).isNotEqualTo(killed);
    }

    /** Linux shows the environment that a process was started with. */
    @Test
    void anAgentIsGivenNothingOfItsExecutorsEnvironmentThatItDoesNotNeed() throws Exception {
        RoomForSlabs.require(SLAB_BYTES + Slab.PAGE_BYTES);
        executor("1", "a");
        await().atMost(PATIENCE).until(() -> said("1").contains("connected"));
        Path environment = Path.of("/proc", status().at("/processId").asText(), "environ");
        assumeTrue(Files.isReadable(environment), "this system does not show the environment of a process");

        assertThat(Files.readString(environment).split("\0"))
                .contains("BOLT_VTB_HOST=a")
                .noneMatch(variable -> variable.startsWith("_SPARK_AUTH_SECRET=") || variable.startsWith("AWS_"));
    }

    @Test
    void anAgentThatCannotStartIsGivenUpAfterAFewAttempts() throws Exception {
        String now = Long.toString(System.currentTimeMillis());
        MeetingPlace place = MeetingPlace.open(directory.resolve("r"), HOST);
        Files.write(place.startHistory(), List.of(now, now, now, now)); // the fifth start is the last
        try (ServerSocket taken = new ServerSocket(port, 1, InetAddress.getByName(HOST))) {
            executor("1", "a");
            await().atMost(PATIENCE)
                    .until(() -> said("1").stream().anyMatch(line -> line.contains("its agent was started 5 times")));
            assertThat(said("1"))
                    .filteredOn(line -> line.contains("another spark.boltshuffle.agent.port"))
                    .hasSize(1);
            assertThat(taken.isClosed()).isFalse();
        }
        assertThat(agentsReady()).isZero();
    }

    @Test
    void aHostWithoutDevicesSaysSoOnceAndNeedsNoMemory() throws Exception {
        executor("1", "nobody");
        await().atMost(PATIENCE)
                .until(() -> said("1").stream().anyMatch(line -> line.contains("no RDMA on this host")));
        assertThat(agentsReady()).isZero();
    }

    /** The agent inherits the limit. */
    @Tag("ci")
    @Test
    void anAgentThatMayHaveFewFilesOpenSaysSoInOneLine() throws Exception {
        RoomForSlabs.require(SLAB_BYTES + Slab.PAGE_BYTES);
        executor("1", "a", List.of("sh", "-c", "ulimit -n 256 && exec \"$@\"", "sh"));
        await().atMost(PATIENCE).until(() -> said("1").contains("connected"));
        status();

        assertThat(Files.readAllLines(
                        MeetingPlace.open(directory.resolve("r"), HOST).log()))
                .filteredOn(line -> line.contains("ulimit -n"))
                .singleElement()
                .asString()
                .contains("may have 256 files and sockets open");
    }

    /**
     * The kernel would end the executor later, which stock Spark lets live. The group has room for what the executor is
     * started with, and for no agent beside it.
     */
    @Tag("ci")
    @Test
    void anAgentIsNotStartedInAMemoryCgroupWithoutRoomForItAndOneLineSaysSo() throws Exception {
        try (TestMemoryGroup group = TestMemoryGroup.limitedTo(300L << 20)) {
            executor("1", "a", List.of("sh", "-c", "echo $$ > " + group.processes() + " && exec \"$@\"", "sh"));

            await().atMost(PATIENCE)
                    .until(() -> said("1").stream().anyMatch(line -> line.contains("the memory cgroup")));
            assertThat(said("1"))
                    .filteredOn(line -> line.contains("the memory cgroup " + group.directory()))
                    .singleElement()
                    .asString()
                    .contains("spark.boltshuffle.agent.slab", "bolt agent");
            executors.get(0).destroyForcibly().waitFor();
        }
        assertThat(MeetingPlace.open(directory.resolve("r"), HOST).log()).doesNotExist();
    }

    private Process executor(String id, String virtualHost) throws IOException {
        return executor(id, virtualHost, List.of());
    }

    /** @param before the words before the command that starts the executor */
    private Process executor(String id, String virtualHost, List<String> before) throws IOException {
        List<String> command = new ArrayList<>(before);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path"),
                ClientProgram.class.getName(),
                id,
                directory.resolve("r").toString(),
                HOST,
                "spark.boltshuffle.agent.verbsLibrary=" + EMULATOR.toAbsolutePath(),
                "spark.boltshuffle.agent.port=" + port,
                "spark.boltshuffle.agent.slab=" + SLAB_BYTES,
                "spark.boltshuffle.agent.startTimeout=60s",
                "spark.boltshuffle.agent.idleTimeout=2s"));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectOutput(directory.resolve("said-" + id).toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment()
                .put("BOLT_VTB_TOPOLOGY", directory.resolve("topology").toString());
        builder.environment().put("BOLT_VTB_HOST", virtualHost);
        builder.environment().put("_SPARK_AUTH_SECRET", "for executors");
        builder.environment().put("AWS_SECRET_ACCESS_KEY", "for tasks");
        Process executor = builder.start();
        executors.add(executor);
        return executor;
    }

    private List<String> said(String id) throws IOException {
        return Files.readAllLines(directory.resolve("said-" + id));
    }

    private JsonNode status() throws IOException {
        MeetingPlace place = MeetingPlace.open(directory.resolve("r"), HOST);
        JsonNode status = new ObjectMapper().readTree(AgentInquiry.status(place, Duration.ofSeconds(10)));
        agents.add(status.at("/processId").asLong());
        return status;
    }

    /** Returns how many agents became ready in this test's directory so far. */
    private long agentsReady() throws IOException {
        MeetingPlace place = MeetingPlace.open(directory.resolve("r"), HOST);
        return Files.readAllLines(place.log()).stream()
                .filter(line -> line.contains("is ready"))
                .count();
    }
}
