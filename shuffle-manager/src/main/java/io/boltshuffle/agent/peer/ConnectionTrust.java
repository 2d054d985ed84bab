package io.boltshuffle.agent.peer;

import io.boltshuffle.agent.base.RefusedException;
import io.boltshuffle.agent.files.Applications;
import io.boltshuffle.wire.ControlMessage;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.WireException;
import java.util.function.Consumer;
import java.util.function.IntPredicate;

/**
 * How the other end of one control connection comes to be believed: it greets, proves the cluster's secret where one is
 * demanded, else the secret of an application, and only then it hears of anything but this host's name.
 *
 * <p><b>Invariant:</b> {@link #state} moves as {@link PeerTrust#mayBecome} allows, and each proof is checked before it
 * is answered with one.
 *
 * <p><b>Threads:</b> confined to the agent's loop.
 */
final class ConnectionTrust implements ApplicationTrust.Listener {

    /** Told on the way. */
    interface Listener {
        /**
         * The peer said its name.
         *
         * @throws RefusedException if it is not the one that was wanted
         */
        void onGreeted(String host) throws RefusedException;

        /** The last application that the peer proved ended here. */
        void onLapsed();

        /** The peer proved an application after that. */
        void onRegained();
    }

    private final Handshake handshake;
    private final Handshake.End end;
    private final Consumer<ControlMessage> out;
    private final IntPredicate mayProve;
    private final Listener listener;
    private final ApplicationTrust applications;
    private PeerTrust state = PeerTrust.STRANGER;

    /** @param mayProve whether so many proofs may be made for an end that proved nothing */
    ConnectionTrust(
            Applications applications,
            Handshake handshake,
            Handshake.End end,
            IntPredicate mayProve,
            Consumer<ControlMessage> out,
            Listener listener) {
        this.handshake = handshake;
        this.end = end;
        this.mayProve = mayProve;
        this.out = out;
        this.listener = listener;
        this.applications = new ApplicationTrust(applications, handshake, out, this);
    }

    PeerTrust state() {
        return state;
    }

    ApplicationTrust applications() {
        return applications;
    }

    /**
     * Returns whether the peer said its name, and what it proved fits nothing here. That may change as applications
     * begin.
     */
    boolean isUnproven() {
        return state == PeerTrust.GREETED && !handshake.demandsCluster();
    }

    /** Returns whether the peer proved as much as it takes to be the one that made the other connection. */
    boolean mayReplace(ConnectionTrust other) {
        return state == PeerTrust.PROVEN_CLUSTER
                || other.state == PeerTrust.LAPSED
                || applications.sharesWith(other.applications);
    }

    /**
     * Takes a message that is about trust.
     *
     * @return whether it was one
     * @throws WireException if it was not its turn
     * @throws RefusedException if it does not prove what it should
     */
    boolean hear(ControlMessage message) throws WireException, RefusedException {
        if (message instanceof ControlMessage.Hello hello) {
            require(state == PeerTrust.STRANGER, message);
            onHello(hello);
        } else if (message instanceof ControlMessage.Proof proof) {
            require(state == PeerTrust.GREETED, message);
            handshake.onProof(proof).ifPresent(out);
            become(PeerTrust.PROVEN_CLUSTER);
            begin();
        } else if (message instanceof ControlMessage.ApplicationProofs proofs) {
            require(state.mayLink() || isTurnOf(Handshake.End.ACCEPTOR), message);
            requireBudget();
            applications.onProofs(proofs, state.mayLink());
            requireProven();
        } else if (message instanceof ControlMessage.ApplicationAnswers answers) {
            require(state.mayLink() || isTurnOf(Handshake.End.DIALER), message);
            applications.onAnswers(answers);
            requireProven();
        } else {
            return false;
        }
        return true;
    }

    /** The connection is gone. */
    void close() {
        applications.close();
    }

    @Override
    public void onProven() {
        if (state == PeerTrust.GREETED) {
            become(PeerTrust.PROVEN_APPLICATION);
            applications.open();
        } else if (state == PeerTrust.LAPSED) {
            become(PeerTrust.PROVEN_APPLICATION);
            listener.onRegained();
        }
    }

    @Override
    public void onNoneLeft() {
        if (state == PeerTrust.PROVEN_APPLICATION) {
            become(PeerTrust.LAPSED);
            listener.onLapsed();
        }
    }

    private void onHello(ControlMessage.Hello hello) throws RefusedException {
        listener.onGreeted(hello.agent());
        handshake.onHello(hello).ifPresent(out);
        become(PeerTrust.GREETED);
        if (isTurnOf(Handshake.End.DIALER)) {
            applications.proveAll();
        }
    }

    /** After the cluster's proof, applications are proven as they are needed; those that are known now, at once. */
    private void begin() {
        applications.open();
        if (end == Handshake.End.DIALER) {
            applications.proveAll();
        }
    }

    private boolean isTurnOf(Handshake.End whose) {
        return state == PeerTrust.GREETED && end == whose && !handshake.demandsCluster();
    }

    private void requireBudget() throws RefusedException {
        if (!state.mayLink() && !mayProve.test(applications.proofsToMake())) {
            throw new RefusedException(
                    FailureReason.OVERLOADED, "too many connections at once on which nothing is proven");
        }
    }

    private void requireProven() throws RefusedException {
        if (!state.mayLink()) {
            throw nothingProven();
        }
    }

    /** The same words whatever was missing: a stranger is not told which applications are served here. */
    private static RefusedException nothingProven() {
        return new RefusedException(
                FailureReason.REFUSED,
                "no application is proven that both agents serve: none is registered on both yet, or their"
                        + " secrets differ");
    }

    private void require(boolean expected, ControlMessage message) throws WireException {
        if (!expected) {
            throw new WireException(message.getClass().getSimpleName() + " while the peer is " + state);
        }
    }

    private void become(PeerTrust next) {
        if (!state.mayBecome(next)) {
            throw new IllegalStateException("a peer that is " + state + " cannot become " + next);
        }
        state = next;
    }
}
