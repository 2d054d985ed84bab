package io.boltshuffle.agent.peer;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.boltshuffle.agent.base.RefusedException;
import io.boltshuffle.wire.ControlMessage;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.HostName;
import io.boltshuffle.wire.Opaque;
import io.boltshuffle.wire.Secret;
import io.boltshuffle.wire.WireLimits;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Lets two agents come to believe each other: each proves over both fresh nonces that it knows a secret, of the cluster
 * or of an application. The end that opened the connection proves first, so that a stranger who opens one hears no
 * proof whose secret he could try to guess.
 *
 * <p><b>Invariant:</b> a proof is bound to who makes it, to which end it is and to this connection, so that none can be
 * replayed or sent back to its maker.
 */
public final class Handshake {

    private static final byte[] CLUSTER = "boltshuffle cluster".getBytes(UTF_8);
    private static final byte[] APPLICATION = "boltshuffle application".getBytes(UTF_8);

    private final AgentIdentity self;
    private final Secret clusterSecret;
    private final End end;
    private final Opaque nonce;
    private ControlMessage.@Nullable Hello peer;
    private boolean clusterProven;

    /** The end of the connection on which this side is. */
    public enum End {
        DIALER,
        ACCEPTOR;

        End other() {
            return this == DIALER ? ACCEPTOR : DIALER;
        }
    }

    /** @param clusterSecret {@link Secret#NONE} if proofs of applications' secrets are enough */
    public Handshake(AgentIdentity self, Secret clusterSecret, End end, RandomGenerator random) {
        this.self = self;
        this.clusterSecret = clusterSecret;
        this.end = end;
        byte[] bytes = new byte[WireLimits.NONCE_BYTES];
        random.nextBytes(bytes);
        this.nonce = Opaque.of(bytes);
    }

    public ControlMessage.Hello hello() {
        return new ControlMessage.Hello(
                WireLimits.CONTROL_VERSION, self.host(), self.instance(), nonce, clusterSecret.isPresent());
    }

    /** Returns whether the peer has to prove the cluster's secret, before and above those of applications. */
    boolean demandsCluster() {
        return clusterSecret.isPresent();
    }

    /**
     * Takes the peer's hello.
     *
     * @return the proof of the cluster's secret to send, if it is this end's turn
     */
    public Optional<ControlMessage.Proof> onHello(ControlMessage.Hello hello) throws RefusedException {
        if (peer != null) {
            throw new RefusedException(FailureReason.PROTOCOL, "a second hello");
        }
        if (!HostName.isPossible(hello.agent())) {
            throw new RefusedException(FailureReason.PROTOCOL, "no host is called \"" + hello.agent() + "\"");
        }
        if (hello.agent().equals(self.host()) || hello.nonce().equals(nonce)) {
            throw new RefusedException(FailureReason.REFUSED, "an agent does not speak to its own host");
        }
        if (hello.secured() != clusterSecret.isPresent()) {
            throw new RefusedException(
                    FailureReason.REFUSED,
                    "one of the agents of " + self.host() + " and " + hello.agent()
                            + " has a cluster secret and the other has none: set spark.boltshuffle.agent.secretFile"
                            + " on both or on neither");
        }
        peer = hello;
        return clusterSecret.isPresent() && end == End.DIALER ? Optional.of(proveCluster()) : Optional.empty();
    }

    /**
     * Takes the peer's proof of the cluster's secret.
     *
     * @return the proof to answer with, at the end that did not open the connection
     */
    Optional<ControlMessage.Proof> onProof(ControlMessage.Proof proof) throws RefusedException {
        ControlMessage.Hello known = peer;
        if (known == null || clusterProven || !clusterSecret.isPresent()) {
            throw new RefusedException(FailureReason.PROTOCOL, "a proof that nobody asked for");
        }
        if (!clusterSecret.verify(proof.mac().toBytes(), statement(CLUSTER, "", end.other()))) {
            throw new RefusedException(
                    FailureReason.REFUSED,
                    "the agents of " + self.host() + " and " + known.agent() + " have different cluster secrets");
        }
        clusterProven = true;
        return end == End.ACCEPTOR ? Optional.of(proveCluster()) : Optional.empty();
    }

    private ControlMessage.Proof proveCluster() {
        return new ControlMessage.Proof(Opaque.of(clusterSecret.sign(statement(CLUSTER, "", end))));
    }

    /** @throws IllegalStateException before the peer's hello */
    public ControlMessage.Hello peer() {
        ControlMessage.Hello known = peer;
        if (known == null) {
            throw new IllegalStateException("no hello yet");
        }
        return known;
    }

    /** This end's proof that it knows the application's secret. */
    public Opaque proveApplication(String application, Secret secret) {
        return Opaque.of(secret.sign(statement(APPLICATION, application, end)));
    }

    /** The proof that the peer makes if it knows the application's secret. */
    public Opaque proofOfPeer(String application, Secret secret) {
        return Opaque.of(secret.sign(statement(APPLICATION, application, end.other())));
    }

    /**
     * Returns the parts that the given end signs: purpose, subject, end, its maker's name and nonce, then those of the
     * other end.
     */
    private byte[][] statement(byte[] purpose, String subject, End signer) {
        ControlMessage.Hello other = peer();
        boolean own = signer == end;
        return new byte[][] {
            purpose,
            subject.getBytes(UTF_8),
            signer.name().getBytes(UTF_8),
            (own ? self.host() : other.agent()).getBytes(UTF_8),
            (own ? nonce : other.nonce()).toBytes(),
            (own ? other.agent() : self.host()).getBytes(UTF_8),
            (own ? other.nonce() : nonce).toBytes()
        };
    }
}
