package io.boltshuffle.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.boltshuffle.conf.Options;
import io.boltshuffle.conf.Settings;
import io.boltshuffle.rdma.memory.Slab;
import io.boltshuffle.rdma.memory.SlabLocation;
import io.boltshuffle.wire.AgentMessage;
import io.boltshuffle.wire.BlockRange;
import io.boltshuffle.wire.BlockSlice;
import io.boltshuffle.wire.ExecutorMessage;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.LiveBlock;
import io.boltshuffle.wire.MeetingPlace;
import io.boltshuffle.wire.Registration;
import io.boltshuffle.wire.Secret;
import io.boltshuffle.wire.SlabFacts;
import io.boltshuffle.wire.WireLimits;
import java.io.DataInputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An executor asks for a block while it meets its first agent, which a test plays that takes its time. */
@Timeout(60)
class FirstMeetingTest {

    private static final BlockRange BLOCK = new LiveBlock(LiveBlock.Kind.RDD_PARTITION, 1, 2).toRange();
    private static final Registration REGISTRATION =
            new Registration("app-1", "2", List.of(), 1, "sort", Secret.of(new byte[] {1}));

    private final Path directory;
    private final ServerSocketChannel agent;

    FirstMeetingTest(@TempDir Path directory) throws Exception {
        this.directory = directory;
        this.agent = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    }

    @BeforeEach
    void listen() throws Exception {
        agent.bind(UnixDomainSocketAddress.of(
                MeetingPlace.open(directory.resolve("r"), "host").socket()));
    }

    @AfterEach
    void close() throws Exception {
        agent.close();
    }

    private AgentClient client() throws Exception {
        return AgentClient.open(new ClientStart(
                "host",
                directory.resolve("r"),
                Settings.parse(Map.of(Options.AGENT_AUTO_START.key(), "false")),
                REGISTRATION,
                Map.of()));
    }

    private static CompletableFuture<FailureReason> fetch(AgentClient client) {
        CompletableFuture<FailureReason> failure = new CompletableFuture<>();
        client.fetch(new FetchRequest("there", "1", 7, List.of(BLOCK)), new FetchListener() {
            @Override
            public void onSlice(BlockSlice slice, FetchedBytes bytes) {
                throw new AssertionError("nobody sent it");
            }

            @Override
            public void onFailed(int blockIndex, FailureReason reason, String detail) {
                failure.complete(reason);
            }
        });
        return failure;
    }

    private static ExecutorMessage hear(DataInputStream executor) throws Exception {
        return ExecutorMessage.CODEC.decode(ByteBuffer.wrap(executor.readNBytes(executor.readInt())));
    }

    @Test
    void aFetchThatIsAskedForBeforeGoesToTheAgent() throws Exception {
        try (AgentClient client = client();
                Slab slab = Slab.create(SlabLocation.file(directory.resolve("slab")), 1 << 20)) {
            assertThat(client.refusal("there")).isEmpty();
            CompletableFuture<FailureReason> asked = fetch(client);
            try (SocketChannel executor = agent.accept()) {
                DataInputStream heard = new DataInputStream(Channels.newInputStream(executor));
                assertThat(hear(heard)).isInstanceOf(ExecutorMessage.Hello.class);
                executor.write(AgentMessage.CODEC.encode(new AgentMessage.Welcome(
                        WireLimits.SESSION_VERSION,
                        "host",
                        1,
                        new SlabFacts(
                                false,
                                slab.descriptor().location().name(),
                                slab.descriptor().bytes(),
                                slab.descriptor().identityHigh(),
                                slab.descriptor().identityLow()))));
                assertThat(hear(heard)).isEqualTo(new ExecutorMessage.Register(REGISTRATION));
                assertThat(asked).isNotDone();
                executor.write(AgentMessage.CODEC.encode(new AgentMessage.Registered()));
                assertThat(hear(heard)).isEqualTo(new ExecutorMessage.Expect(List.of()));
                ExecutorMessage.Fetch sent = (ExecutorMessage.Fetch) hear(heard);
                assertThat(sent.host()).isEqualTo("there");
                assertThat(sent.blocks()).isEqualTo(List.of(BLOCK));
                executor.write(AgentMessage.CODEC.encode(
                        new AgentMessage.Failed(sent.requestId(), FailureReason.NO_CABLE, "as the test says")));

                assertThat(asked.get(30, TimeUnit.SECONDS)).isEqualTo(FailureReason.NO_CABLE);
            }
        }
    }

    @Test
    void anAgentThatDoesNotAnswerIsWaitedForOnce() throws Exception {
        try (AgentClient client = client()) {
            assertThat(fetch(client).get(30, TimeUnit.SECONDS)).isEqualTo(FailureReason.AGENT_LOST);
            assertThat(client.refusal("there"))
                    .hasValueSatisfying(why -> assertThat(why.detail()).contains("has not answered"));
        }
    }

    @Test
    void anAgentThatEndsMeanwhileIsWaitedForNoLonger() throws Exception {
        try (AgentClient client = client()) {
            CompletableFuture<FailureReason> asked = fetch(client);
            agent.accept().close();
            agent.close();

            assertThat(asked.get(30, TimeUnit.SECONDS)).isEqualTo(FailureReason.AGENT_LOST);
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> client.refusal("there").isPresent());
        }
    }

    @Test
    void anExecutorThatStopsWaitsForNoAgent() throws Exception {
        CompletableFuture<FailureReason> asked;
        try (AgentClient client = client()) {
            asked = fetch(client);
        }
        assertThat(asked.get(30, TimeUnit.SECONDS)).isEqualTo(FailureReason.AGENT_LOST);
    }
}
