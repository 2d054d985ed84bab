package io.boltshuffle.agent.peer;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.loop.FramePipe;
import io.boltshuffle.testing.Allocation;
import io.boltshuffle.testing.SimLoop;
import io.boltshuffle.testing.SimPipe;
import io.boltshuffle.wire.ControlMessage;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.Opaque;
import io.boltshuffle.wire.Secret;
import io.boltshuffle.wire.WireLimits;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shows how long a connection may take to prove something, and what becomes of it when that ends. */
class PeerConnectionTest {

    private static final Duration MINUTE = Duration.ofNanos(PeerConnection.LAPSE_NANOS);

    private final SimLoop loop = new SimLoop();
    private final TrustFixture fixture;
    private final PeerServices here;
    private final PeerServices there;
    private final SimPipe pipe = SimPipe.connect(frame -> {}, frame -> {});
    private final List<String> told = new ArrayList<>();
    private final List<Integer> proofsMade = new ArrayList<>();
    private IntPredicate mayProve = proofsMade::add;

    PeerConnectionTest(@TempDir Path directory) throws Exception {
        fixture = new TrustFixture(directory, Map.of());
        here = fixture.services("here", 1, loop);
        there = fixture.services("there", 2, loop);
    }

    @AfterEach
    void close() throws Exception {
        fixture.close();
    }

    @Test
    void bothEndsOpenOnceEachProvedAnApplication() throws Exception {
        TrustFixture.register(here, TrustFixture.APPLICATION, TrustFixture.SECRET);
        TrustFixture.register(there, TrustFixture.APPLICATION, TrustFixture.SECRET);
        connect();
        assertThat(told).containsExactlyInAnyOrder("here: open", "there: open");
    }

    @Test
    void neitherOpensWithoutAnApplicationInCommon() throws Exception {
        TrustFixture.register(here, TrustFixture.APPLICATION, TrustFixture.SECRET);
        TrustFixture.register(there, TrustFixture.APPLICATION, Secret.of(new byte[] {9}));
        connect();
        assertThat(told).containsExactlyInAnyOrder("here: REFUSED", "there: REFUSED");
    }

    /** Else two agents that want much of each other would wait for each other to read. */
    @Test
    void pullsAndWhatFreesThemAreQuestionsAndNoAnswers() {
        Counting counting = new Counting();
        PeerConnection calling = connection(here, Handshake.End.DIALER, pipe);
        calling.start(counting);
        counting.sent = 0;

        calling.send(new ControlMessage.Free(1));
        calling.send(new ControlMessage.Heartbeat());

        assertThat(counting.asked).isEqualTo(1);
        assertThat(counting.sent).isEqualTo(1);
    }

    /** Each takes an HMAC, and a stranger's connection costs him nothing. */
    @Test
    void beforeAnythingIsProvenTheProofsOfAllApplicationsAreMadeOnceAndOnlyIfTheBudgetLetsThem() throws Exception {
        serve(there, 5);
        serve(here, 2);
        PeerConnection called = connect();
        assertThat(told).containsExactlyInAnyOrder("here: open", "there: open");
        assertThat(proofsMade).containsExactly(5);
        assertThat(called.trust().applications().proofsToMake()).isZero();
    }

    @Test
    void aStrangerBeyondTheBudgetIsRefusedAndNoProofIsMade() throws Exception {
        serve(there, 5);
        serve(here, 2);
        mayProve = proofs -> false;
        connect();
        assertThat(told).containsExactlyInAnyOrder("here: OVERLOADED", "there: OVERLOADED");
    }

    /** A comparison of each with each application's took 23 ms of the loop for a message of 8 kB. */
    @Test
    void aWrongProofCostsTheSameHoweverManyApplicationsAreServed() throws Exception {
        assertThat(bytesOfAWrongProof(200)).isCloseTo(bytesOfAWrongProof(1), Offset.offset(64.0));
    }

    /** Returns the heap that each proof takes that fits nothing, by a peer that proved something. */
    private double bytesOfAWrongProof(int applications) throws Exception {
        PeerServices serving = fixture.services("serving", 3, loop);
        serve(serving, applications);
        SimPipe line = SimPipe.connect(frame -> {}, frame -> {});
        PeerConnection calling = connection(here(applications), Handshake.End.DIALER, line);
        PeerConnection called = connection(serving, Handshake.End.ACCEPTOR, line.other());
        deliver(line);
        assertThat(called.trust().state()).isEqualTo(PeerTrust.PROVEN_APPLICATION);
        Allocation allocation = new Allocation();
        called.onFrame(body(wrongProofs(WireLimits.MAX_PROOFS)));
        double each = allocation.perBlock(WireLimits.MAX_PROOFS / 2, proofs -> {
            ByteBuffer message = body(wrongProofs(proofs));
            allocation.count(() -> called.onFrame(message));
        });
        calling.close(new ControlMessage.Goodbye("the test is over"));
        called.close(new ControlMessage.Goodbye("the test is over"));
        return each;
    }

    private PeerServices here(int number) throws Exception {
        PeerServices calling = fixture.services("calling-" + number, 4, loop);
        serve(calling, 1);
        return calling;
    }

    private static void serve(PeerServices services, int applications) throws Exception {
        for (int i = 1; i <= applications; i++) {
            TrustFixture.register(services, "app-" + i, TrustFixture.SECRET);
        }
    }

    private static ControlMessage wrongProofs(int count) {
        return new ControlMessage.ApplicationProofs(IntStream.range(0, count)
                .mapToObj(each -> ByteBuffer.allocate(WireLimits.MAC_BYTES).putInt(0, each))
                .map(Opaque::of)
                .toList());
    }

    private static final class Counting implements FramePipe {
        private int sent;
        private int asked;

        @Override
        public void send(ByteBuffer frame) {
            sent++;
        }

        @Override
        public void ask(ByteBuffer frame) {
            asked++;
        }

        @Override
        public void maxQueuedBytes(long bytes) {
            // Nothing waits here.
        }

        @Override
        public void close() {
            // Nothing is open.
        }

        @Override
        public void closeAfterSending() {
            // Nothing is open.
        }
    }

    /** A stranger gains no time by what it says, however lively it is. */
    @Test
    void aHandshakeHasOneDeadline() throws Exception {
        PeerConnection called = connection(there, Handshake.End.ACCEPTOR, pipe.other());
        for (int i = 0; i < 100; i++) {
            called.onFrame(body(new ControlMessage.Heartbeat()));
            loop.advance(Duration.ofMillis(100));
        }
        assertThat(told).containsExactly("there: PEER_UNREACHABLE");
    }

    @Test
    void aPeerWhoseLastApplicationEndedIsLeftAMinuteLater() throws Exception {
        open();
        TrustFixture.forgetAll(here);
        passLively(MINUTE.minusSeconds(1));
        assertThat(told).isEmpty();
        passLively(Duration.ofSeconds(2));
        assertThat(told).containsExactlyInAnyOrder("here: REFUSED", "there: REFUSED");
    }

    @Test
    void theNextApplicationWithinThatMinuteKeepsThem() throws Exception {
        open();
        TrustFixture.forgetAll(here);
        TrustFixture.forgetAll(there);
        passLively(MINUTE.minusSeconds(1));
        TrustFixture.register(here, "app-2", TrustFixture.SECRET);
        deliver();
        TrustFixture.register(there, "app-2", TrustFixture.SECRET);
        passLively(MINUTE.multipliedBy(3));
        assertThat(told).isEmpty();
    }

    /** An id alone is no proof: an application that is registered anew may have another secret. */
    @Test
    void anApplicationThatEndedIsBelievedNoMore() throws Exception {
        TrustFixture.register(here, "app-2", TrustFixture.SECRET);
        TrustFixture.register(there, "app-2", TrustFixture.SECRET);
        TrustFixture.register(there, TrustFixture.APPLICATION, TrustFixture.SECRET);
        TrustFixture.register(here, TrustFixture.APPLICATION, TrustFixture.SECRET);
        PeerConnection called = connect();
        assertThat(called.trust().applications().isTrusted(TrustFixture.APPLICATION))
                .isTrue();
        there.serving().served().applications().forgetEnded(() -> Set.of("app-2"));
        assertThat(called.trust().applications().isTrusted(TrustFixture.APPLICATION))
                .isFalse();
        TrustFixture.register(there, TrustFixture.APPLICATION, Secret.of(new byte[] {9}));
        deliver();
        assertThat(called.trust().applications().isTrusted(TrustFixture.APPLICATION))
                .isFalse();
        assertThat(called.trust().applications().isTrusted("app-2")).isTrue();
    }

    /** A fetch that waited for a link meanwhile: there is nothing to prove it by, and no executor wants it. */
    @Test
    void aFetchOfAnApplicationThatEndedIsRefused() throws Exception {
        TrustFixture.register(here, TrustFixture.APPLICATION, TrustFixture.SECRET);
        TrustFixture.register(there, TrustFixture.APPLICATION, TrustFixture.SECRET);
        PeerConnection called = connect();
        TrustFixture.forgetAll(there);
        told.clear();
        called.trust().applications().whenTrusted(TrustFixture.APPLICATION, new ApplicationTrust.Waiter() {
            @Override
            public void onTrusted() {
                told.add("trusted");
            }

            @Override
            public void onRefused(FailureReason reason, String detail) {
                told.add(reason + ": " + detail);
            }
        });
        assertThat(told).containsExactly("REFUSED: app-1 ended");
    }

    private void open() throws Exception {
        bothEndsOpenOnceEachProvedAnApplication();
        told.clear();
    }

    /** The end that was called. */
    private PeerConnection connect() {
        connection(here, Handshake.End.DIALER, pipe);
        PeerConnection called = connection(there, Handshake.End.ACCEPTOR, pipe.other());
        deliver();
        return called;
    }

    private PeerConnection connection(PeerServices services, Handshake.End end, SimPipe to) {
        String host = services.identity().host();
        Handshake handshake = new Handshake(
                services.identity(), Secret.NONE, end, new Random(end.name().hashCode()));
        PeerConnection connection =
                new PeerConnection(services, handshake, end, mayProve, new PeerConnection.Listener() {
                    @Override
                    public void onOpen(PeerConnection opened) {
                        told.add(host + ": open");
                    }

                    @Override
                    public void onMessage(ControlMessage message) {
                        told.add(host + ": " + message);
                    }

                    @Override
                    public void onEnd(PeerConnection ended, FailureReason reason, String detail) {
                        told.add(host + ": " + reason);
                    }

                    @Override
                    public void onSuperseded(PeerConnection superseded) {
                        told.add(host + ": superseded");
                    }
                });
        to.listener(connection);
        connection.start(to);
        return connection;
    }

    private void passLively(Duration time) {
        for (long passed = 0; passed < time.toMillis(); passed += 250) {
            loop.advance(Duration.ofMillis(250));
            deliver();
        }
    }

    private void deliver() {
        deliver(pipe);
    }

    private void deliver(SimPipe pipe) {
        while (pipe.hasFrame() || pipe.other().hasFrame()) {
            if (pipe.hasFrame()) {
                pipe.deliver();
            }
            if (pipe.other().hasFrame()) {
                pipe.other().deliver();
            }
        }
        loop.run();
    }

    private static ByteBuffer body(ControlMessage message) {
        ByteBuffer frame = ControlMessage.CODEC.encode(message);
        frame.getInt();
        return frame;
    }
}
