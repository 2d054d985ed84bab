package io.boltshuffle.agent.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.agent.fetch.FetchOrder;
import io.boltshuffle.agent.fetch.FetchReceiver;
import io.boltshuffle.agent.fetch.PullClient;
import io.boltshuffle.agent.files.ShuffledBlocks;
import io.boltshuffle.agent.peer.RemoteHosts;
import io.boltshuffle.agent.peer.RouteListener;
import io.boltshuffle.agent.serve.PullFixture;
import io.boltshuffle.agent.serve.SimPullCable;
import io.boltshuffle.client.FetchRequest;
import io.boltshuffle.client.SimExecutor;
import io.boltshuffle.rdma.memory.Lease;
import io.boltshuffle.testing.SimPipe;
import io.boltshuffle.wire.AgentMessage;
import io.boltshuffle.wire.BlockSlice;
import io.boltshuffle.wire.ControlMessage;
import io.boltshuffle.wire.ExecutorMessage;
import io.boltshuffle.wire.Opaque;
import io.boltshuffle.wire.SlabFacts;
import io.boltshuffle.wire.Stripe;
import io.boltshuffle.wire.WireException;
import io.boltshuffle.wire.WireLimits;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shows that the requests of an executor end with it, and not at their deadlines. */
class EndedExecutorTest {

    private static final long SLAB_BYTES = 1 << 20;

    private final Path directory;
    private final ShuffledBlocks blocks;
    private final SimPipe socket = SimPipe.connect(frame -> {}, frame -> {});
    private PullFixture fixture;
    private PullClient client;
    private ExecutorSession session;
    private @Nullable FetchReceiver asked;

    EndedExecutorTest(@TempDir Path directory) throws Exception {
        this.directory = directory;
        this.blocks = new ShuffledBlocks(directory);
    }

    @BeforeEach
    void fetch() throws Exception {
        fixture = new PullFixture(directory, SLAB_BYTES, blocks);
        SimPullCable cable = new SimPullCable(fixture.loop, fixture.loop);
        client = new PullClient(fixture.fetching, cable.reader(), fixture.said::add);
        session = new ExecutorSessions(
                        fixture.fetching,
                        fixture.services.served(),
                        Optional.empty(),
                        new OneHost(),
                        welcome(),
                        new SilentAgent())
                .newSession();
        socket.other().listener(session);
        session.start(socket.other());
        SimExecutor executor = new SimExecutor(
                PullFixture.registration("2"),
                socket,
                (bytes, block) -> assertThat(bytes).isNull());
        executor.connect();
        talk();
        executor.fetch(new FetchRequest("there", "1", 7, ShuffledBlocks.forPulls(1)));
        talk();
        assertThat(client.fetchCount()).isEqualTo(1);
    }

    private AgentMessage.Welcome welcome() {
        var slab = fixture.pool.slab().descriptor();
        return new AgentMessage.Welcome(
                WireLimits.SESSION_VERSION,
                "here",
                1,
                new SlabFacts(false, slab.location().name(), slab.bytes(), slab.identityHigh(), slab.identityLow()));
    }

    private void talk() {
        while (socket.hasFrame() || socket.other().hasFrame()) {
            (socket.hasFrame() ? socket : socket.other()).deliver();
        }
    }

    @AfterEach
    void close() throws Exception {
        fixture.close();
        blocks.close();
    }

    @Test
    void itsPullsAreFreedAtOnce() {
        killExecutor();

        assertThat(client.fetchCount()).isZero();
        assertThat(fixture.said).last().isInstanceOf(ControlMessage.Free.class);
    }

    @Test
    void itWaitsForMemoryNoMore() throws Exception {
        Lease all = fixture.lease(SLAB_BYTES);
        client.onReady(new ControlMessage.Ready(
                0,
                List.of(new BlockSlice(0, 0, 1000, 1000)),
                List.of(),
                "",
                List.of(new Stripe(1, 1000, Opaque.of(new byte[1])))));
        fixture.run();
        assertThat(fixture.pool.snapshot().waiting()).isEqualTo(1);

        killExecutor();
        fixture.run();

        assertThat(fixture.pool.snapshot().waiting()).isZero();
        all.release();
    }

    @Test
    void whatItHoldsStaysItsWhenOnlyThisEndFails() throws Exception {
        Lease held = fixture.lease(SLAB_BYTES / 2);
        Lease other = fixture.lease(SLAB_BYTES / 4);
        FetchReceiver receiver = Objects.requireNonNull(asked);
        receiver.onBlocks(held, List.of(new BlockSlice(0, 0, 1000, 1000)));
        receiver.onBlocks(other, List.of(new BlockSlice(0, 0, 1000, 1000)));

        boolean staysOpen = session.onMuted("made by a test");

        assertThat(staysOpen).isTrue();
        assertThat(client.fetchCount()).isZero();
        assertThat(pinnedBytes()).isEqualTo(held.bytes() + other.bytes());
        say(new ExecutorMessage.Release(other.id()));
        assertThat(pinnedBytes()).isEqualTo(held.bytes());
        killExecutor();
        assertThat(pinnedBytes()).isZero();
    }

    @Test
    void itsSocketClosesWhenThisEndFailsAndItHoldsNothing() {
        assertThat(session.onMuted("made by a test")).isFalse();
    }

    private long pinnedBytes() {
        return session.status().pinnedBytes();
    }

    private void say(ExecutorMessage message) throws WireException {
        ByteBuffer frame = ExecutorMessage.CODEC.encode(message);
        frame.getInt(); // the length, which a socket's reader takes off
        session.onFrame(frame);
    }

    private void killExecutor() {
        socket.breakOff();
        socket.other().end();
    }

    /** The one host that can be asked. */
    private final class OneHost implements RemoteHosts {
        @Override
        public void fetch(RouteListener asker, FetchOrder order, FetchReceiver receiver) {
            asked = receiver;
            client.start(order, receiver);
        }

        @Override
        public void expect(RouteListener asker, List<String> hosts) {
            // It is there.
        }

        @Override
        public void forget(RouteListener asker) {
            // It stays.
        }
    }
}
