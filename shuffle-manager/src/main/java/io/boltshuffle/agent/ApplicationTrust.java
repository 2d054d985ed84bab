package io.boltshuffle.agent;

import io.boltshuffle.wire.ControlMessage;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.Secret;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Which applications the two ends of a control connection have proven to each other.
 *
 * <p><b>Threads:</b> confined to the agent's loop.
 */
final class ApplicationTrust {

    /** Waits until an application is proven. */
    interface Waiter {
        void onTrusted();

        void onRefused(FailureReason reason, String detail);
    }

    private final Applications applications;
    private final Handshake handshake;
    private final Consumer<ControlMessage> out;
    private final Set<String> proven = new HashSet<>();
    private final Set<String> sent = new HashSet<>();
    private final Map<String, List<Waiter>> waiting = new HashMap<>();

    ApplicationTrust(Applications applications, Handshake handshake, Consumer<ControlMessage> out) {
        this.applications = applications;
        this.handshake = handshake;
        this.out = out;
    }

    /** Whether the peer may pull blocks of this application. */
    boolean isTrusted(String application) {
        return proven.contains(application);
    }

    /** Calls the waiter once the peer has proven the application's secret, which it is asked to do. */
    void whenTrusted(String application, Waiter waiter) {
        if (isTrusted(application)) {
            waiter.onTrusted();
            return;
        }
        waiting.computeIfAbsent(application, key -> new ArrayList<>()).add(waiter);
        prove(application);
    }

    void onProof(ControlMessage.ApplicationProof proof) {
        String application = proof.application();
        if (!applications.knows(application)) {
            out.accept(new ControlMessage.ApplicationRefused(
                    application, FailureReason.UNKNOWN_EXECUTOR, "no executor of it is registered here"));
        } else if (!handshake.verifyApplication(proof, applications.secretOf(application))) {
            out.accept(new ControlMessage.ApplicationRefused(
                    application, FailureReason.REFUSED, "its secret is another one here"));
        } else {
            proven.add(application);
            prove(application);
            take(application).forEach(Waiter::onTrusted);
        }
    }

    void onRefused(ControlMessage.ApplicationRefused refused) {
        sent.remove(refused.application());
        take(refused.application()).forEach(waiter -> waiter.onRefused(refused.reason(), refused.detail()));
    }

    /** The connection is gone. */
    void close(FailureReason reason, String detail) {
        List<String> all = List.copyOf(waiting.keySet());
        all.forEach(application -> take(application).forEach(waiter -> waiter.onRefused(reason, detail)));
    }

    private void prove(String application) {
        Secret secret = applications.secretOf(application);
        if (sent.add(application)) {
            out.accept(handshake.proveApplication(application, secret));
        }
    }

    private List<Waiter> take(String application) {
        List<Waiter> taken = waiting.remove(application);
        return taken == null ? List.of() : taken;
    }
}
