package io.boltshuffle.agent.peer;

import io.boltshuffle.agent.files.Applications;
import io.boltshuffle.wire.ControlMessage;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.Opaque;
import io.boltshuffle.wire.WireLimits;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Knows which applications the two ends of a control connection have proven to each other. Proofs name no application:
 * an end tries each that it serves.
 *
 * <p><b>Invariant:</b> an application counts as proven only while it is served here, and only by a proof that was made
 * over the secret it is served with.
 *
 * <p><b>Threads:</b> confined to the agent's loop.
 */
final class ApplicationTrust implements Applications.Listener {

    /** Waits until an application is proven. */
    interface Waiter {
        void onTrusted();

        void onRefused(FailureReason reason, String detail);
    }

    /** Hears when the first application is proven, and when the last one that was proven is no longer served here. */
    interface Listener {
        void onProven();

        void onNoneLeft();
    }

    private final Applications applications;
    private final Handshake handshake;
    private final Consumer<ControlMessage> out;
    private final Listener listener;
    private final Set<String> proven = new HashSet<>();
    private final Map<Opaque, String> asked = new HashMap<>();
    private final Map<String, List<Waiter>> waiting = new HashMap<>();

    /**
     * The applications that are served here, by the proof that the peer makes if it knows the secret; null until the
     * peer said a proof. Each costs an HMAC, and so is made once a connection. Made in the same task of the loop in
     * which this is {@link #open opened} or the connection ends, so that it misses no application.
     */
    private @Nullable Map<Opaque, String> expected;

    ApplicationTrust(Applications applications, Handshake handshake, Consumer<ControlMessage> out, Listener listener) {
        this.applications = applications;
        this.handshake = handshake;
        this.out = out;
        this.listener = listener;
    }

    /** From now on, what is registered here is proven to the peer, and what ends here is believed no more. */
    void open() {
        applications.addListener(this);
    }

    /** Returns whether the peer may pull blocks of this application. */
    boolean isTrusted(String application) {
        return proven.contains(application);
    }

    /** Returns whether the two have an application in common that the peer of each proved. */
    boolean sharesWith(ApplicationTrust other) {
        return proven.stream().anyMatch(other.proven::contains);
    }

    /**
     * Calls the waiter once the peer has proven the application's secret, which it is asked to do, or at once if it
     * ended here.
     */
    void whenTrusted(String application, Waiter waiter) {
        if (isTrusted(application)) {
            waiter.onTrusted();
            return;
        }
        if (!applications.all().contains(application)) {
            // It ended while the fetch waited for the peer, and there is no secret any more to prove.
            waiter.onRefused(FailureReason.REFUSED, application + " ended");
            return;
        }
        waiting.computeIfAbsent(application, key -> new ArrayList<>()).add(waiter);
        if (!asked.containsValue(application)) {
            prove(List.of(application));
        }
    }

    /** Proves all applications that are served here, or the newest of very many. */
    void proveAll() {
        prove(applications.newest(WireLimits.MAX_PROOFS));
    }

    /**
     * Takes proofs, and answers them.
     *
     * @param believed whether the peer proved anything before; otherwise it gets an answer only if one of these proofs
     *     fits
     * @return whether one of them fits
     */
    boolean onProofs(ControlMessage.ApplicationProofs proofs, boolean believed) {
        List<String> fitting = new ArrayList<>();
        List<Opaque> unknown = new ArrayList<>();
        for (Opaque mac : proofs.macs()) {
            provenBy(mac).ifPresentOrElse(fitting::add, () -> unknown.add(mac));
        }
        if (believed || !fitting.isEmpty()) {
            List<Opaque> own = fitting.stream().map(this::proofOf).toList();
            out.accept(new ControlMessage.ApplicationAnswers(own, unknown));
            fitting.forEach(this::onProven);
        }
        return !fitting.isEmpty();
    }

    void onAnswers(ControlMessage.ApplicationAnswers answers) {
        for (Opaque mac : answers.macs()) {
            // An application that ended meanwhile is passed over.
            provenBy(mac).ifPresent(this::onProven);
        }
        for (Opaque mac : answers.unknown()) {
            String application = asked.remove(mac);
            if (application != null) {
                refuse(
                        application,
                        FailureReason.REFUSED,
                        "the agent of " + handshake.peer().agent() + " does not know the secret of " + application
                                + ": no executor of it is registered there, or its secret is another one there");
            }
        }
    }

    @Override
    public void onRegistered(String application) {
        if (expected != null) {
            expected.put(proofOfPeer(application), application);
        }
        prove(List.of(application));
    }

    @Override
    public void onForgotten(String application) {
        if (expected != null) {
            expected.values().removeIf(application::equals);
        }
        asked.values().removeIf(application::equals);
        refuse(application, FailureReason.REFUSED, application + " ended");
        if (proven.remove(application) && proven.isEmpty()) {
            listener.onNoneLeft();
        }
    }

    /** The connection is gone. */
    void close() {
        applications.removeListener(this);
    }

    /** Refuses all that wait. */
    void refuseWaiting(FailureReason reason, String detail) {
        List.copyOf(waiting.keySet()).forEach(application -> refuse(application, reason, detail));
    }

    private void prove(List<String> wanted) {
        List<Opaque> macs = new ArrayList<>();
        for (String application : wanted) {
            Opaque mac = proofOf(application);
            asked.put(mac, application);
            macs.add(mac);
        }
        out.accept(new ControlMessage.ApplicationProofs(macs));
    }

    private Opaque proofOf(String application) {
        return handshake.proveApplication(application, applications.secretOf(application));
    }

    /** Returns how many HMACs it takes to hear the next proof. */
    int proofsToMake() {
        return expected == null ? applications.all().size() : 0;
    }

    private Opaque proofOfPeer(String application) {
        return handshake.proofOfPeer(application, applications.secretOf(application));
    }

    /**
     * Looks the proof up, so that a wrong one costs the same however many applications there are. To compare with all
     * of them in constant time would be of no use: proofs are made over fresh nonces, so that what a guess tells by its
     * time is worth nothing on the next connection, and it could tell a hash of 32 bits only.
     */
    private Optional<String> provenBy(Opaque mac) {
        if (expected == null) {
            expected = new HashMap<>();
            for (String application : applications.all()) {
                expected.put(proofOfPeer(application), application);
            }
        }
        return Optional.ofNullable(expected.get(mac));
    }

    private void onProven(String application) {
        asked.values().removeIf(application::equals);
        boolean first = proven.isEmpty();
        proven.add(application);
        if (first) {
            listener.onProven();
        }
        take(application).forEach(Waiter::onTrusted);
    }

    private void refuse(String application, FailureReason reason, String detail) {
        take(application).forEach(waiter -> waiter.onRefused(reason, detail));
    }

    private List<Waiter> take(String application) {
        List<Waiter> taken = waiting.remove(application);
        return taken == null ? List.of() : taken;
    }
}
