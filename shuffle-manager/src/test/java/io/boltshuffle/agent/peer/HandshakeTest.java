package io.boltshuffle.agent.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.boltshuffle.agent.base.RefusedException;
import io.boltshuffle.wire.ControlMessage;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.Opaque;
import io.boltshuffle.wire.Secret;
import io.boltshuffle.wire.WireLimits;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HandshakeTest {

    private static final Secret SECRET = Secret.of(new byte[] {1, 2, 3});

    private final Random random = new Random(1);
    private final Handshake dialer = handshake("a", SECRET, Handshake.End.DIALER);
    private final Handshake acceptor = handshake("b", SECRET, Handshake.End.ACCEPTOR);

    @Test
    void twoWhoKnowTheSecretBelieveEachOther() throws RefusedException {
        ControlMessage.Proof ofDialer = dialer.onHello(acceptor.hello()).orElseThrow();
        acceptor.onHello(dialer.hello());
        ControlMessage.Proof ofAcceptor = acceptor.onProof(ofDialer).orElseThrow();
        assertThat(dialer.onProof(ofAcceptor)).isEmpty();
        assertRefused(() -> dialer.onProof(ofAcceptor), FailureReason.PROTOCOL); // it is proven already
        assertRefused(() -> acceptor.onProof(ofDialer), FailureReason.PROTOCOL);
    }

    /**
     * A program that merely opens a connection must hear no proof, because it could try guesses of the secret against
     * it.
     */
    @Test
    void theEndThatWasCalledProvesNothingFirst() throws RefusedException {
        assertThat(acceptor.onHello(dialer.hello())).isEmpty();
    }

    @Test
    void aProofSentBackToItsMakerIsRefused() throws RefusedException {
        ControlMessage.Proof own = dialer.onHello(acceptor.hello()).orElseThrow();
        assertRefused(() -> dialer.onProof(own), FailureReason.REFUSED);
    }

    @Test
    void aProofOfAnotherConnectionIsRefused() throws RefusedException {
        Handshake earlier = handshake("b", SECRET, Handshake.End.ACCEPTOR);
        ControlMessage.Proof replayed = dialer.onHello(earlier.hello()).orElseThrow();
        acceptor.onHello(dialer.hello());
        assertRefused(() -> acceptor.onProof(replayed), FailureReason.REFUSED);
    }

    @Test
    void oneWithAndOneWithoutASecretDoNotSpeak() {
        Handshake open = handshake("b", Secret.NONE, Handshake.End.ACCEPTOR);
        assertRefused(() -> dialer.onHello(open.hello()), FailureReason.REFUSED);
        assertRefused(() -> open.onHello(dialer.hello()), FailureReason.REFUSED);
    }

    @Test
    void withoutTheClustersSecretNothingIsProvenByAHello() throws RefusedException {
        Handshake one = handshake("a", Secret.NONE, Handshake.End.DIALER);
        assertThat(one.onHello(
                        handshake("b", Secret.NONE, Handshake.End.ACCEPTOR).hello()))
                .isEmpty();
        assertRefused(
                () -> one.onProof(new ControlMessage.Proof(Opaque.of(new byte[WireLimits.MAC_BYTES]))),
                FailureReason.PROTOCOL);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "../..", "a/b", "two words"})
    void aNameThatNoHostHasIsRefused(String name) {
        Handshake nameless = handshake(name, SECRET, Handshake.End.ACCEPTOR);
        assertRefused(() -> dialer.onHello(nameless.hello()), FailureReason.PROTOCOL);
    }

    @Test
    void anApplicationsProofIsForThatApplicationOnly() throws RefusedException {
        dialer.onHello(acceptor.hello());
        acceptor.onHello(dialer.hello());
        Opaque proof = dialer.proveApplication("app-1", SECRET);
        assertThat(acceptor.proofOfPeer("app-1", SECRET)).isEqualTo(proof);
        assertThat(acceptor.proofOfPeer("app-2", SECRET)).isNotEqualTo(proof);
        assertThat(acceptor.proofOfPeer("app-1", Secret.of(new byte[] {4}))).isNotEqualTo(proof);
        assertThat(dialer.proofOfPeer("app-1", SECRET)).isNotEqualTo(proof);
    }

    private Handshake handshake(String host, Secret secret, Handshake.End end) {
        return new Handshake(new AgentIdentity(host, host.hashCode()), secret, end, random);
    }

    private static void assertRefused(ThrowingCallable call, FailureReason reason) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        RefusedException.class, e -> assertThat(e.reason()).isEqualTo(reason));
    }
}
