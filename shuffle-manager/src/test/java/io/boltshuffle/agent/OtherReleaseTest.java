package io.boltshuffle.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.boltshuffle.client.AgentClient;
import io.boltshuffle.client.Refusal;
import io.boltshuffle.wire.AgentMessage;
import io.boltshuffle.wire.ControlMessage;
import io.boltshuffle.wire.ExecutorMessage;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.Opaque;
import io.boltshuffle.wire.SlabFacts;
import io.boltshuffle.wire.WireLimits;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Plugin and agent, or two agents, of releases whose protocols differ: one clear line on both sides, and TCP. */
class OtherReleaseTest {

    private static final int VERSION_AT = Integer.BYTES + 1;
    private static final int ADDED_BYTES = 9;

    private final TwoAgents hosts;

    OtherReleaseTest(@TempDir Path temp) throws IOException {
        hosts = new TwoAgents(temp, Map.of());
    }

    @AfterEach
    void close() {
        hosts.close();
    }

    @Test
    void anExecutorOfTheNextReleaseIsToldWhatToDo() throws Exception {
        hosts.startAgent(TwoAgents.READER, 1, Map.of());
        try (SocketChannel executor = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            executor.connect(address());
            executor.write(next(ExecutorMessage.CODEC.encode(
                    new ExecutorMessage.Hello(WireLimits.SESSION_VERSION, "an executor"))));
            DataInputStream answers = new DataInputStream(Channels.newInputStream(executor));
            byte[] answer = answers.readNBytes(answers.readInt());

            assertThat(AgentMessage.CODEC.decode(ByteBuffer.wrap(answer)))
                    .isEqualTo(new AgentMessage.Refused(
                            FailureReason.PROTOCOL,
                            "the other end speaks version " + (WireLimits.SESSION_VERSION + 1) + ", this one "
                                    + WireLimits.SESSION_VERSION
                                    + ": stop the agent, and the next executor starts the right one"));
            assertThat(answers.read()).as("the end").isEqualTo(-1);
        }
    }

    @Test
    void anExecutorGoesByTcpWhileTheAgentIsOfTheNextRelease() throws Exception {
        AgentMessage.Welcome welcome = new AgentMessage.Welcome(
                WireLimits.SESSION_VERSION, TwoAgents.READER, 1, new SlabFacts(false, "/slab", 1, 1, 1));
        try (Greeter agent = Greeter.start(
                ServerSocketChannel.open(StandardProtocolFamily.UNIX),
                address(),
                next(AgentMessage.CODEC.encode(welcome)))) {
            AgentClient executor = hosts.executor(TwoAgents.READER, "1");
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(executor.refusal(TwoAgents.SERVER))
                            .hasValue(new Refusal(
                                    FailureReason.PROTOCOL,
                                    "the other end speaks version " + (WireLimits.SESSION_VERSION + 1) + ", this one "
                                            + WireLimits.SESSION_VERSION
                                            + ": stop the agent, and the next executor starts the right one")));
            assertThat(agent.failure()).isNull();
        }
    }

    @Test
    void blocksGoByTcpWhileThePeersAgentIsOfTheNextRelease() throws Exception {
        hosts.startAgent(TwoAgents.READER, 1, Map.of());
        ControlMessage.Hello hello = new ControlMessage.Hello(
                WireLimits.CONTROL_VERSION,
                TwoAgents.SERVER,
                1,
                Opaque.of(new byte[WireLimits.NONCE_BYTES]),
                /* secured= */ false);
        try (Greeter peer = Greeter.start(
                ServerSocketChannel.open(),
                new InetSocketAddress(TwoAgents.SERVER, hosts.port()),
                next(ControlMessage.CODEC.encode(hello)))) {
            AgentClient reader = TwoAgents.awaitConnected(hosts.executor(TwoAgents.READER, "2"));

            assertThat(new OneBlock(reader).failures()).isEqualTo(Map.of(0, FailureReason.PROTOCOL));
            assertThat(hosts.status(TwoAgents.READER).at("/peers/0/detail").asText())
                    .isEqualTo("PROTOCOL: the other end speaks version " + (WireLimits.CONTROL_VERSION + 1)
                            + ", this one " + WireLimits.CONTROL_VERSION + ": install the same release on both hosts");
            assertThat(peer.failure()).isNull();
        }
    }

    private SocketAddress address() throws IOException {
        return UnixDomainSocketAddress.of(hosts.place(TwoAgents.READER).socket());
    }

    /** The same greeting in the next version, which says more in it. */
    private static ByteBuffer next(ByteBuffer frame) {
        ByteBuffer longer =
                ByteBuffer.allocate(frame.remaining() + ADDED_BYTES).put(frame).put(new byte[ADDED_BYTES]);
        longer.flip();
        longer.putInt(0, longer.remaining() - Integer.BYTES);
        longer.putInt(VERSION_AT, longer.getInt(VERSION_AT) + 1);
        return longer;
    }

    /** Greets each caller, reads until it goes, and says nothing else. */
    private static final class Greeter implements AutoCloseable {
        private final ServerSocketChannel server;
        private final ByteBuffer greeting;
        private volatile @Nullable IOException failure;

        private Greeter(ServerSocketChannel server, ByteBuffer greeting) {
            this.server = server;
            this.greeting = greeting;
        }

        static Greeter start(ServerSocketChannel server, SocketAddress address, ByteBuffer greeting)
                throws IOException {
            server.bind(address);
            Greeter greeter = new Greeter(server, greeting);
            Thread thread = new Thread(greeter::greet, "greeter");
            thread.setDaemon(true);
            thread.start();
            return greeter;
        }

        private void greet() {
            while (server.isOpen()) {
                try (SocketChannel connection = server.accept()) {
                    connection.write(greeting.duplicate());
                    ByteBuffer ignored = ByteBuffer.allocate(1 << 10);
                    while (connection.read(ignored.clear()) >= 0) {
                        // What they say does not matter.
                    }
                } catch (ClosedChannelException e) {
                    return;
                } catch (IOException e) {
                    failure = e;
                }
            }
        }

        @Nullable IOException failure() {
            return failure;
        }

        @Override
        public void close() throws IOException {
            server.close();
        }
    }
}
