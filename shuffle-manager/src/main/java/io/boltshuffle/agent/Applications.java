package io.boltshuffle.agent;

import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.Registration;
import io.boltshuffle.wire.Secret;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
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

    private final BlockSource source;
    private final Map<String, Application> byId = new HashMap<>();

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

    /**
     * @throws RefusedException if the application has no secret, or is known with another one, or a directory is not absolute
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
        }
        Application application =
                byId.computeIfAbsent(registration.application(), id -> new Application(registration.secret()));
        if (!application.secret.equals(registration.secret())) {
            throw new RefusedException(
                    FailureReason.REFUSED,
                    "application " + registration.application() + " is registered with another secret");
        }
        application.executors.put(registration.executor(), registration);
        source.register(registration);
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

    boolean knows(String application) {
        return byId.containsKey(application);
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
        }
    }

    /** Executor ids by application, for the status. */
    Map<String, Set<String>> executors() {
        return byId.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        entry -> new TreeSet<>(entry.getValue().executors.keySet())));
    }

    private static boolean hasFiles(Application application) {
        return application.executors.values().stream()
                .flatMap(registration -> registration.localDirs().stream())
                .anyMatch(dir -> Files.isDirectory(Path.of(dir)));
    }
}
