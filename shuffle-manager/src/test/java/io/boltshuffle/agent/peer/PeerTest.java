package io.boltshuffle.agent.peer;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.agent.cable.ActiveLink;
import io.boltshuffle.agent.cable.PortStatus;
import io.boltshuffle.agent.cable.Ports;
import io.boltshuffle.agent.fetch.FetchOrder;
import io.boltshuffle.agent.fetch.FetchReceiver;
import io.boltshuffle.rdma.link.LinkListener;
import io.boltshuffle.rdma.link.OutOfBand;
import io.boltshuffle.rdma.memory.Lease;
import io.boltshuffle.rdma.memory.LeaseOwner;
import io.boltshuffle.testing.SimLoop;
import io.boltshuffle.testing.SimPipe;
import io.boltshuffle.wire.BlockFailure;
import io.boltshuffle.wire.BlockRange;
import io.boltshuffle.wire.BlockSlice;
import io.boltshuffle.wire.ControlMessage;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.PortFacts;
import io.boltshuffle.wire.PortName;
import io.boltshuffle.wire.Secret;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Shows one remote host as time passes: which agents may come in its name, how long fetches wait, and when it is
 * forgotten.
 */
class PeerTest {

    private static final String THERE = "there";
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(15);

    private final SimLoop loop = new SimLoop();
    private final TrustFixture fixture;
    private final PeerServices here;
    private final RecordingDialer dialer = new RecordingDialer();
    private final Asker asker = new Asker();
    private final Peers peers;
    private final List<SimPipe> pipes = new ArrayList<>();
    private final List<String> ended = new ArrayList<>();
    private long instances = 100;

    PeerTest(@TempDir Path directory) throws Exception {
        fixture = new TrustFixture(directory, Map.of("spark.boltshuffle.agent.connectTimeout", "15s"));
        here = fixture.services("here", 1, loop);
        TrustFixture.register(here, TrustFixture.APPLICATION, TrustFixture.SECRET);
        peers = new Peers(here.clock(), (host, owner) -> new Peer(host, here, dialer, new NoPortsYet(), owner));
    }

    @AfterEach
    void close() throws Exception {
        fixture.close();
    }

    /** Each connection proves the application, claims to be a new agent of that host, and never links. */
    @Test
    void fetchesWaitUntilTheFirstDeadlineHoweverManyConnectionsCome() throws Exception {
        Received fetch = fetch(THERE);
        for (int second = 0; second < CONNECT_TIMEOUT.toSeconds(); second++) {
            assertThat(fetch.failures).isEmpty();
            connect(THERE, TrustFixture.SECRET);
            pass(Duration.ofSeconds(1));
        }
        assertThat(fetch.failures).containsExactly(FailureReason.LINK_FAILED);
        assertThat(asker.told).containsExactly("down there LINK_FAILED");

        connect(THERE, TrustFixture.SECRET);
        assertThat(fetch(THERE).failures).containsExactly(FailureReason.LINK_FAILED);
    }

    @Test
    void aHostThatIsDownRefusesAtOnceWhileItIsProbed() {
        Received fetch = fetch(THERE);
        pass(CONNECT_TIMEOUT);
        assertThat(fetch.failures).containsExactly(FailureReason.PEER_UNREACHABLE);
        pass(Duration.ofSeconds(2));
        assertThat(dialer.dialed).containsExactly(THERE, THERE);
        assertThat(fetch(THERE).failures).containsExactly(FailureReason.PEER_UNREACHABLE);
    }

    @Test
    void aFetchThatIsCalledOffLeavesTheQueueAtOnce() {
        Received gone = fetch(THERE);
        Received other = fetch(THERE);
        assertThat(waiting()).isEqualTo(2);

        gone.cancel.run();
        gone.cancel.run();

        assertThat(waiting()).isEqualTo(1);
        pass(CONNECT_TIMEOUT);
        assertThat(gone.failures).isEmpty();
        assertThat(other.failures).containsExactly(FailureReason.PEER_UNREACHABLE);
    }

    private int waiting() {
        return peers.status().get(0).fetches();
    }

    @Test
    void anAgentThatWasStartedAgainTakesThePlaceOfTheSessionOfTheOneBefore() throws Exception {
        connect(THERE, TrustFixture.SECRET);
        connect(THERE, TrustFixture.SECRET);
        assertThat(ended).containsExactly("101 was superseded");
    }

    @Test
    void aConnectionThatProvesNothingOfTheSessionsDoesNotTakeItsPlace() throws Exception {
        connect(THERE, TrustFixture.SECRET);
        Secret other = Secret.of(new byte[] {7});
        TrustFixture.register(here, "app-2", other);
        PeerServices stranger = fixture.services(THERE, ++instances, loop);
        TrustFixture.register(stranger, "app-2", other);
        connect(stranger);
        assertThat(ended).containsExactly("102 was refused");
    }

    @Test
    void aHostThatNoExecutorAsksForIsForgottenWithItsConnection() throws Exception {
        SimPipe pipe = connect(THERE, TrustFixture.SECRET);
        assertThat(peers.status()).hasSize(1);
        pipe.close();
        pipe.other().end();
        assertThat(peers.status()).isEmpty();
        pass(Duration.ofMinutes(5));
        assertThat(dialer.dialed).isEmpty();
        assertThat(dialer.forgotten).containsExactly(THERE);
    }

    /** Its connection is given up in favour of another one, which never comes. */
    @Test
    void aHostThatNoExecutorAsksForIsForgottenWhenNoConnectionComesInPlaceOfItsOwn() throws Exception {
        SimPipe pipe = connect(THERE, TrustFixture.SECRET);
        pipe.send(ControlMessage.CODEC.encode(new ControlMessage.Superseded()));
        deliver();
        assertThat(peers.status()).hasSize(1);
        pass(Duration.ofMinutes(5));
        assertThat(peers.status()).isEmpty();
        assertThat(dialer.dialed).isEmpty();
    }

    @Test
    void aHostWithoutAnAgentIsDialedOnlyAsLongAsAnExecutorAsksForIt() {
        peers.expect(asker, List.of(THERE));
        pass(Duration.ofMinutes(2));
        assertThat(dialer.dialed).hasSizeGreaterThan(3);
        peers.forget(asker);
        dialer.dialed.clear();
        pass(Duration.ofMinutes(5));
        assertThat(dialer.dialed).isEmpty();
        assertThat(peers.status()).isEmpty();
    }

    @Test
    void aHostThatIsCutOffSaysSinceWhenAndWhyAlsoWhileItIsTriedAgain() throws Exception {
        peers.expect(asker, List.of(THERE));
        fetch(THERE);
        pass(Duration.ofMinutes(5));
        assertThat(peers.status()).singleElement().satisfies(there -> {
            assertThat(there.cutOffSince()).isEqualTo("1970-01-01T00:00:00Z");
            assertThat(there.detail()).startsWith("PEER_UNREACHABLE: ");
        });
    }

    @Test
    void namesThatLeadNowhereKeepOutNoHostThatComes() throws Exception {
        List<String> invented = new ArrayList<>();
        for (int i = 0; i < Peers.MAX_PEERS; i++) {
            invented.add("invented-" + i);
        }
        peers.expect(asker, invented);
        connect(THERE, TrustFixture.SECRET);
        assertThat(ended).isEmpty();
        assertThat(peers.status())
                .hasSize(Peers.MAX_PEERS)
                .extracting(PeerStatus::host)
                .contains(THERE);
        Asker another = new Asker();
        peers.expect(another, List.of("mac2"));
        assertThat(peers.status())
                .hasSize(Peers.MAX_PEERS)
                .extracting(PeerStatus::host)
                .contains(THERE, "mac2");
        peers.forget(asker);
        assertThat(peers.status()).extracting(PeerStatus::host).containsExactlyInAnyOrder(THERE, "mac2");
    }

    private Received fetch(String host) {
        Received received = new Received();
        peers.fetch(
                asker,
                new FetchOrder(
                        TrustFixture.APPLICATION,
                        host,
                        "1",
                        new LeaseOwner("a task"),
                        loop.nanoTime(),
                        Duration.ofMinutes(1).toNanos(),
                        List.of(new BlockRange(0, 0, 0, 1))),
                received);
        loop.run();
        return received;
    }

    /** Another agent of this name connects and proves the application. */
    private SimPipe connect(String host, Secret secret) throws Exception {
        PeerServices there = fixture.services(host, ++instances, loop);
        TrustFixture.register(there, TrustFixture.APPLICATION, secret);
        return connect(there);
    }

    private SimPipe connect(PeerServices there) {
        SimPipe pipe = SimPipe.connect(frame -> {}, frame -> {});
        String instance = Long.toString(there.identity().instance());
        start(there, Handshake.End.DIALER, pipe, new PeerConnection.Listener() {
            @Override
            public void onOpen(PeerConnection opened) {
                // It never tells its ports.
            }

            @Override
            public void onMessage(ControlMessage message) {
                // It does not answer.
            }

            @Override
            public void onEnd(PeerConnection connection, FailureReason reason, String detail) {
                ended.add(instance + (reason == FailureReason.REFUSED ? " was refused" : " ended"));
            }

            @Override
            public void onSuperseded(PeerConnection connection) {
                ended.add(instance + " was superseded");
            }
        });
        start(here, Handshake.End.ACCEPTOR, pipe.other(), new PeerConnection.Listener() {
            @Override
            public void onOpen(PeerConnection opened) {
                Peer peer = peers.peer(opened.handshake().peer().agent());
                assertThat(peer).isNotNull();
                peer.adopt(opened);
            }

            @Override
            public void onMessage(ControlMessage message) {
                throw new AssertionError(message + " before it was adopted");
            }

            @Override
            public void onEnd(PeerConnection connection, FailureReason reason, String detail) {
                throw new AssertionError("it ended before it was adopted: " + detail);
            }

            @Override
            public void onSuperseded(PeerConnection connection) {
                throw new AssertionError("it was superseded before it was adopted");
            }
        });
        pipes.add(pipe);
        deliver();
        return pipe;
    }

    private static void start(
            PeerServices services, Handshake.End end, SimPipe pipe, PeerConnection.Listener listener) {
        Handshake handshake = new Handshake(
                services.identity(),
                Secret.NONE,
                end,
                new Random(services.identity().instance()));
        PeerConnection connection = new PeerConnection(services, handshake, end, proofs -> true, listener);
        pipe.listener(connection);
        connection.start(pipe);
    }

    private void pass(Duration time) {
        for (long passed = 0; passed < time.toMillis(); passed += 250) {
            loop.advance(Duration.ofMillis(250));
            deliver();
        }
    }

    private void deliver() {
        boolean moved;
        do {
            moved = false;
            for (SimPipe pipe : pipes) {
                for (SimPipe end : List.of(pipe, pipe.other())) {
                    while (end.hasFrame()) {
                        end.deliver();
                        moved = true;
                    }
                }
            }
            loop.run();
        } while (moved);
    }

    private static final class RecordingDialer implements PeerDialer {
        private final List<String> dialed = new ArrayList<>();
        private final List<String> forgotten = new ArrayList<>();

        @Override
        public void dial(Peer peer) {
            dialed.add(peer.host());
        }

        @Override
        public void cancel(String host) {
            // Nothing was begun.
        }

        @Override
        public void forget(String host) {
            forgotten.add(host);
        }
    }

    private static final class Asker implements RouteListener {
        private final List<String> told = new ArrayList<>();

        @Override
        public void onRouteUp(String host) {
            told.add("up " + host);
        }

        @Override
        public void onRouteDown(String host, FailureReason reason, String detail) {
            told.add("down " + host + " " + reason);
        }
    }

    private static final class Received implements FetchReceiver {
        private final List<FailureReason> failures = new ArrayList<>();
        private Runnable cancel = () -> {};

        @Override
        public void onWaiting(Runnable callOff) {
            cancel = callOff;
        }

        @Override
        public boolean isWanted() {
            return true;
        }

        @Override
        public void onStarted(Runnable cancel) {
            // It stays wanted.
        }

        @Override
        public void onBlocks(Lease lease, List<BlockSlice> slices) {
            throw new AssertionError("there are no blocks");
        }

        @Override
        public void onBlockFailures(List<BlockFailure> blocks, String detail) {
            throw new AssertionError("there are no blocks");
        }

        @Override
        public void onDone() {
            throw new AssertionError("there are no blocks");
        }

        @Override
        public void onFailed(FailureReason reason, String detail) {
            failures.add(reason);
        }
    }

    /** Ports that are still being looked for. */
    private static final class NoPortsYet implements Ports {
        @Override
        public CompletableFuture<List<PortFacts>> discover() {
            return new CompletableFuture<>();
        }

        @Override
        public CompletableFuture<ActiveLink> open(PortName port, int linkId, OutOfBand channel, LinkListener listener) {
            throw new AssertionError("no port was told");
        }

        @Override
        public String provider() {
            return "none";
        }

        @Override
        public List<PortStatus> status() {
            return List.of();
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }
}
