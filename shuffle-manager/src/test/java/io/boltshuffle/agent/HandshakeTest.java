package io.boltshuffle.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.boltshuffle.wire.ControlMessage;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.Secret;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class HandshakeTest {

    private static final Secret SECRET = Secret.of(new byte[] {1, 2, 3});

    private final Random random = new Random(1);
    private final Handshake dialer = handshake("a", SECRET, Handshake.End.DIALER);
    private final Handshake acceptor = handshake("b", SECRET, Handshake.End.ACCEPTOR);

    @Test
    void twoWhoKnowTheSecretBelieveEachOther() throws RefusedException {
        ControlMessage.Proof ofDialer = dialer.onHello(acceptor.hello()).orElseThrow();
        ControlMessage.Proof ofAcceptor = acceptor.onHello(dialer.hello()).orElseThrow();
        assertThat(dialer.isComplete()).isFalse();
        dialer.onProof(ofAcceptor);
        acceptor.onProof(ofDialer);
        assertThat(dialer.isComplete()).isTrue();
        assertThat(acceptor.isComplete()).isTrue();
    }

    @Test
    void aProofSentBackToItsMakerIsRefused() throws RefusedException {
        ControlMessage.Proof own = dialer.onHello(acceptor.hello()).orElseThrow();
        assertRefused(() -> dialer.onProof(own), FailureReason.REFUSED);
    }

    @Test
    void aProofOfAnotherConnectionIsRefused() throws RefusedException {
        Handshake earlier = handshake("b", SECRET, Handshake.End.ACCEPTOR);
        ControlMessage.Proof replayed = earlier.onHello(dialer.hello()).orElseThrow();
        dialer.onHello(acceptor.hello());
        assertRefused(() -> dialer.onProof(replayed), FailureReason.REFUSED);
    }

    @Test
    void oneWithAndOneWithoutASecretDoNotSpeak() {
        Handshake open = handshake("b", Secret.NONE, Handshake.End.ACCEPTOR);
        assertRefused(() -> dialer.onHello(open.hello()), FailureReason.REFUSED);
        assertRefused(() -> open.onHello(dialer.hello()), FailureReason.REFUSED);
    }

    @Test
    void withoutSecretsTheHelloIsEnough() throws RefusedException {
        Handshake one = handshake("a", Secret.NONE, Handshake.End.DIALER);
        assertThat(one.onHello(
                        handshake("b", Secret.NONE, Handshake.End.ACCEPTOR).hello()))
                .isEmpty();
        assertThat(one.isComplete()).isTrue();
    }

    @Test
    void anApplicationsProofIsForThatApplicationOnly() throws RefusedException {
        dialer.onHello(acceptor.hello());
        acceptor.onHello(dialer.hello());
        ControlMessage.ApplicationProof proof = dialer.proveApplication("app-1", SECRET);
        assertThat(acceptor.verifyApplication(proof, SECRET)).isTrue();
        assertThat(acceptor.verifyApplication(new ControlMessage.ApplicationProof("app-2", proof.mac()), SECRET))
                .isFalse();
        assertThat(dialer.verifyApplication(proof, SECRET)).isFalse();
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
