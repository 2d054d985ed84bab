package io.boltshuffle.agent;

import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.Registration;
import io.boltshuffle.wire.Secret;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The applications and executors whose files this agent serves. An executor that is gone is served on, as by Spark's
 * external shuffle service, until its directories are gone too.
 *
 * <p><b>Threads:</b> confined to the agent's loop.
 */
final class Applications {

    /** Told of applications that begin and end here. A listener that is added later is not told of those before. */
    interface Listener {
        void onRegistered(String application);

        void onForgotten(String application);
    }

    private final BlockSource source;
    private final Map<String, Application> byId = new LinkedHashMap<>();
    private final Set<Listener> listeners = new LinkedHashSet<>();

    private static final class Application {
        private final Secret secret;
        private final Map<String, Registration> executors = new HashMap<>();

        Application(Secret secret) {
            this.secret = secret;
        }
    }

    Applications(BlockSource source) {
        this.source = source;
    }

    void addListener(Listener listener) {
        listeners.add(listener);
    }

    void removeListener(Listener listener) {
        listeners.remove(listener);
    }

    /**
     * @throws RefusedException if the application has no secret, or is known with another one, or a directory is not absolute, or
     *     another application registered it
     */
    void register(Registration registration) throws RefusedException {
        if (!registration.secret().isPresent()) {
            throw new RefusedException(
                    FailureReason.REFUSED,
                    "application " + registration.application() + " has no secret: its driver makes one up unless it"
                            + " runs another release");
        }
        for (String dir : registration.localDirs()) {
            if (!Path.of(dir).isAbsolute()) {
                throw new RefusedException(FailureReason.REFUSED, "local directory " + dir + " is not absolute");
            }
            if (isOfAnother(registration.application(), dir)) {
                throw new RefusedException(
                        FailureReason.REFUSED, "local directory " + dir + " is registered by another application");
            }
        }
        Application known = byId.get(registration.application());
        Application application = known == null ? new Application(registration.secret()) : known;
        if (!application.secret.equals(registration.secret())) {
            throw new RefusedException(
                    FailureReason.REFUSED,
                    "application " + registration.application() + " is registered with another secret");
        }
        application.executors.put(registration.executor(), registration);
        source.register(registration);
        if (known == null) {
            byId.put(registration.application(), application);
            List.copyOf(listeners).forEach(listener -> listener.onRegistered(registration.application()));
        }
    }

    boolean knows(String application, String executor) {
        Application known = byId.get(application);
        return known != null && known.executors.containsKey(executor);
    }

    /** The application's secret; {@link Secret#NONE} for one that is unknown. */
    Secret secretOf(String application) {
        Application known = byId.get(application);
        return known == null ? Secret.NONE : known.secret;
    }

    /** Ids of all applications, the oldest first. */
    Set<String> all() {
        return Collections.unmodifiableSet(byId.keySet());
    }

    /** Ids of the applications that were registered last, at most so many. */
    List<String> newest(int most) {
        List<String> ids = List.copyOf(byId.keySet());
        return ids.subList(Math.max(0, ids.size() - most), ids.size());
    }

    /** Forgets the applications that have no session and whose directories are all gone. */
    void forgetEnded(Set<String> inSession) {
        Set<String> ended = byId.entrySet().stream()
                .filter(entry -> !inSession.contains(entry.getKey()) && !hasFiles(entry.getValue()))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
        for (String application : ended) {
            byId.remove(application);
            source.forget(application);
            List.copyOf(listeners).forEach(listener -> listener.onForgotten(application));
        }
    }

    /** Executor ids by application, for the status. */
    Map<String, Set<String>> executors() {
        return byId.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        entry -> new TreeSet<>(entry.getValue().executors.keySet())));
    }

    /** By its spelling: links of a file system are not followed, because the disk is not asked on the loop. */
    private boolean isOfAnother(String application, String dir) {
        Path wanted = Path.of(dir).normalize();
        return byId.entrySet().stream()
                .filter(entry -> !entry.getKey().equals(application))
                .flatMap(entry -> entry.getValue().executors.values().stream())
                .flatMap(registration -> registration.localDirs().stream())
                .anyMatch(other -> Path.of(other).normalize().equals(wanted));
    }

    private static boolean hasFiles(Application application) {
        return application.executors.values().stream()
                .flatMap(registration -> registration.localDirs().stream())
                .anyMatch(dir -> Files.isDirectory(Path.of(dir)));
    }
}
