package io.boltshuffle.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.boltshuffle.agent.cable.ActiveLink;
import io.boltshuffle.agent.cable.PortStatus;
import io.boltshuffle.agent.cable.Ports;
import io.boltshuffle.agent.cable.PortsFactory;
import io.boltshuffle.client.AgentInquiry;
import io.boltshuffle.conf.Options;
import io.boltshuffle.conf.Settings;
import io.boltshuffle.rdma.link.LinkListener;
import io.boltshuffle.rdma.link.OutOfBand;
import io.boltshuffle.rdma.memory.LeasePool;
import io.boltshuffle.rdma.memory.RoomForSlabs;
import io.boltshuffle.rdma.memory.Slab;
import io.boltshuffle.rdma.memory.SlabLocation;
import io.boltshuffle.wire.MeetingPlace;
import io.boltshuffle.wire.PortFacts;
import io.boltshuffle.wire.PortName;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Shows how an agent ends, as those see it that would start it again: by its exit code, and the history of its starts.
 */
@Timeout(60)
@Tag("slow")
class AgentEndTest {

    private static final String HOST = "127.0.0.2";

    private final AgentStart start;
    private final MeetingPlace place;
    private final AtomicReference<@Nullable Agent> running = new AtomicReference<>();

    AgentEndTest(@TempDir Path temp) throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(HOST))) {
            start = new AgentStart(
                    HOST,
                    temp.resolve("r"),
                    Settings.parse(Map.of(
                            "spark.boltshuffle.agent.port",
                            Integer.toString(socket.getLocalPort()),
                            "spark.boltshuffle.agent.slab",
                            "64m")),
                    false);
        }
        place = MeetingPlace.open(start.root(), HOST);
    }

    @BeforeEach
    void itWasStartedBefore() throws IOException {
        Files.writeString(place.startHistory(), "1\n");
    }

    @Test
    void oneThatWasAskedToEndsWith0AndForgetsItsStarts() throws Exception {
        CompletableFuture<Integer> code = run(NoPorts::new);
        agent().stop("the test ends it");
        assertThat(code.get(30, TimeUnit.SECONDS)).isZero();
        assertThat(place.startHistory()).doesNotExist();
    }

    @Test
    void oneThatEndsByADefectEndsSoonWith1AndItsStartsCount() throws Exception {
        CompletableFuture<Integer> code = run(NoPorts::new);
        agent();
        CompletableFuture<Void> unused = CompletableFuture.runAsync(() -> {
            try {
                AgentInquiry.status(place, Duration.ofSeconds(5));
            } catch (IOException e) {
                // It ends over this.
            }
        });
        assertThat(code.get(8, TimeUnit.SECONDS)).isEqualTo(1);
        assertThat(place.startHistory()).exists();
    }

    @Test
    void oneThatRunsOutOfMemoryAsItStartsEndsWith1AndLeavesNothing() throws Exception {
        CompletableFuture<Integer> code = run(() -> {
            throw new OutOfMemoryError("of the test: unable to create native thread");
        });
        assertThat(code.get(30, TimeUnit.SECONDS)).isEqualTo(1);
        assertThat(place.startHistory()).exists();
        oneThatWasAskedToEndsWith0AndForgetsItsStarts();
    }

    @Test
    void oneWhoseSlabIsRemovedEndsWith1() throws Exception {
        CompletableFuture<Integer> code = run(NoPorts::new);
        agent();
        Files.delete(slab());
        assertThat(code.get(30, TimeUnit.SECONDS)).isEqualTo(1);
    }

    @Test
    void oneWhoseSlabIsCutOffEndsWith1() throws Exception {
        CompletableFuture<Integer> code = run(NoPorts::new);
        agent();
        try (FileChannel file = FileChannel.open(slab(), StandardOpenOption.WRITE)) {
            file.truncate(32 << 20);
        }
        assertThat(code.get(30, TimeUnit.SECONDS)).isEqualTo(1);
        assertThat(slab()).doesNotExist();
    }

    @Test
    void oneWhoseDirectoryIsRemovedEndsWith1AndLeavesTheSlabOfTheNext() throws Exception {
        CompletableFuture<Integer> code = run(NoPorts::new);
        agent();
        Files.delete(place.socket());
        Files.delete(place.agentLock());
        Files.delete(slab());
        Files.writeString(slab(), "that of the next");
        assertThat(code.get(30, TimeUnit.SECONDS)).isEqualTo(1);
        assertThat(slab()).hasContent("that of the next");
        Files.delete(slab());
    }

    @Test
    void oneThatCannotHaveItsPortLeavesTheSlabThatIsThere() throws Exception {
        Files.writeString(slab(), "that of another");
        try (ServerSocket taken =
                new ServerSocket(start.settings().get(Options.AGENT_PORT), 1, InetAddress.getByName(HOST))) {
            assertThat(run(NoPorts::new).get(30, TimeUnit.SECONDS)).isEqualTo(1);
            assertThat(taken.isBound()).isTrue();
        }
        assertThat(slab()).hasContent("that of another");
        Files.delete(slab());
    }

    @Test
    void oneWhoseSocketIsRemovedListensAnew() throws Exception {
        CompletableFuture<Integer> code = run(NoPorts::new);
        agent();
        Files.delete(place.socket());
        await().atMost(Duration.ofSeconds(30)).ignoreExceptions().until(() -> {
            try (SocketChannel probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
                return probe.connect(UnixDomainSocketAddress.of(place.socket()));
            }
        });
        agent().stop("the test ends it");
        assertThat(code.get(30, TimeUnit.SECONDS)).isZero();
    }

    private Path slab() throws IOException {
        SlabLocation location = SlabLocation.preferred(SlabName.of(place));
        assumeTrue(location.kind() == SlabLocation.Kind.FILE, "a slab that is no file cannot be tampered with here");
        return Path.of(location.name());
    }

    private CompletableFuture<Integer> run(Supplier<Ports> ports) {
        RoomForSlabs.require(start.settings().get(Options.AGENT_SLAB) + (1 << 20));
        return CompletableFuture.supplyAsync(() -> AgentMain.run(start, new Factory(ports), running));
    }

    private Agent agent() {
        await().atMost(Duration.ofSeconds(30)).until(() -> running.get() != null);
        return Objects.requireNonNull(running.get());
    }

    private record Factory(Supplier<Ports> ports) implements PortsFactory {
        @Override
        public void check() {
            // None are needed.
        }

        @Override
        public Ports create(Slab slab, LeasePool pool) {
            return ports.get();
        }
    }

    /** Breaks when it is asked for its status. */
    private static final class NoPorts implements Ports {
        @Override
        public CompletableFuture<List<PortFacts>> discover() {
            return CompletableFuture.completedFuture(List.of());
        }

        @Override
        public CompletableFuture<ActiveLink> open(PortName port, int linkId, OutOfBand channel, LinkListener listener) {
            return CompletableFuture.failedFuture(new IOException("no ports"));
        }

        @Override
        public String provider() {
            return "none";
        }

        @Override
        public List<PortStatus> status() {
            throw new OutOfMemoryError("of the test");
        }

        @Override
        public void close() {
            // Nothing was opened.
        }
    }
}
