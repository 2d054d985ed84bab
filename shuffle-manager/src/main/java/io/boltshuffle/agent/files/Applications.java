package io.boltshuffle.agent.files;

import io.boltshuffle.agent.base.RefusedException;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.Registration;
import io.boltshuffle.wire.Secret;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The applications and executors whose files this agent serves. An executor that is gone is served on, as by Spark's
 * external shuffle service, until its directories are gone too.
 *
 * <p><b>Threads:</b> confined to the agent's loop; directories are looked at on another thread.
 */
public final class Applications {

    /** Hears of applications that begin and end here. A listener that is added later is not told of those before. */
    public interface Listener {
        void onRegistered(String application);

        void onForgotten(String application);
    }

    private final BlockLocator source;
    private final Executor disk;
    private final Executor loop;
    private final Map<String, Application> byId = new LinkedHashMap<>();
    private final Set<Listener> listeners = new LinkedHashSet<>();
    private boolean looking;
    private boolean lookAgain;

    private static final class Application {
        private final Secret secret;
        private final Map<String, Registration> executors = new HashMap<>();
        private long registrations;

        Application(Secret secret) {
            this.secret = secret;
        }

        Set<String> directories() {
            return executors.values().stream()
                    .flatMap(registration -> registration.localDirs().stream())
                    .collect(Collectors.toSet());
        }
    }

    /**
     * An application without a session, as it was when its directories were looked at.
     *
     * @param registrations how often its executors had registered: one that did since may have made its directories
     *     anew
     */
    private record Candidate(String id, Application application, long registrations, Set<String> directories) {
        boolean hasFiles() {
            return directories.stream().anyMatch(directory -> Files.isDirectory(Path.of(directory)));
        }
    }

    /**
     * @param disk where directories are looked at: a file system that hangs must not stop the loop
     * @param loop the agent's loop
     */
    public Applications(BlockLocator source, Executor disk, Executor loop) {
        this.source = source;
        this.disk = disk;
        this.loop = loop;
    }

    public void addListener(Listener listener) {
        listeners.add(listener);
    }

    public void removeListener(Listener listener) {
        listeners.remove(listener);
    }

    /**
     * @throws RefusedException if the application has no secret, or is known with another one, or a directory is no
     *     path, not absolute, or registered by another application
     */
    public void register(Registration registration) throws RefusedException {
        if (!registration.secret().isPresent()) {
            throw new RefusedException(
                    FailureReason.REFUSED,
                    "application " + registration.application() + " has no secret: its driver makes one up unless it"
                            + " runs another release");
        }
        for (String dir : registration.localDirs()) {
            if (!path(dir).isAbsolute()) {
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
        application.registrations++;
        source.register(registration);
        if (known == null) {
            byId.put(registration.application(), application);
            List.copyOf(listeners).forEach(listener -> listener.onRegistered(registration.application()));
        }
    }

    public boolean knows(String application, String executor) {
        Application known = byId.get(application);
        return known != null && known.executors.containsKey(executor);
    }

    /** Returns the application's secret; {@link Secret#NONE} for one that is unknown. */
    public Secret secretOf(String application) {
        Application known = byId.get(application);
        return known == null ? Secret.NONE : known.secret;
    }

    /** Ids of all applications, the oldest first. */
    public Set<String> all() {
        return Collections.unmodifiableSet(byId.keySet());
    }

    /** Ids of the applications that were registered last, at most so many. */
    public List<String> newest(int most) {
        List<String> ids = List.copyOf(byId.keySet());
        return ids.subList(Math.max(0, ids.size() - most), ids.size());
    }

    /**
     * Forgets the applications that have no session and whose directories are all gone, once the disk has said so. One
     * look at a time: as long as a file system hangs, nothing is forgotten, and nothing piles up.
     *
     * @param inSession asked on the loop, again when the answer is there
     */
    public void forgetEnded(Supplier<Set<String>> inSession) {
        if (looking) {
            lookAgain = true;
            return;
        }
        Set<String> living = inSession.get();
        List<Candidate> candidates = byId.entrySet().stream()
                .filter(entry -> !living.contains(entry.getKey()))
                .map(entry -> new Candidate(
                        entry.getKey(),
                        entry.getValue(),
                        entry.getValue().registrations,
                        entry.getValue().directories()))
                .toList();
        if (!candidates.isEmpty()) {
            looking = true;
            try {
                disk.execute(() -> lookAt(candidates, inSession));
            } catch (RejectedExecutionException e) {
                looking = false; // the agent ends, and forgets all
            }
        }
    }

    private void lookAt(List<Candidate> candidates, Supplier<Set<String>> inSession) {
        List<Candidate> gone = List.of();
        try {
            gone = candidates.stream()
                    .filter(candidate -> !candidate.hasFiles())
                    .toList();
        } finally {
            List<Candidate> found = gone;
            loop.execute(() -> forget(found, inSession));
        }
    }

    private void forget(List<Candidate> gone, Supplier<Set<String>> inSession) {
        looking = false;
        Set<String> living = inSession.get();
        for (Candidate candidate : gone) {
            Application now = byId.get(candidate.id());
            if (!living.contains(candidate.id())
                    && candidate.application() == now
                    && candidate.registrations() == now.registrations) {
                byId.remove(candidate.id());
                source.forget(candidate.id());
                List.copyOf(listeners).forEach(listener -> listener.onForgotten(candidate.id()));
            }
        }
        if (lookAgain) {
            lookAgain = false;
            forgetEnded(inSession);
        }
    }

    /** Returns executor ids by application, for the status. */
    public Map<String, Set<String>> executors() {
        return byId.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        entry -> new TreeSet<>(entry.getValue().executors.keySet())));
    }

    private static Path path(String dir) throws RefusedException {
        try {
            return Path.of(dir);
        } catch (InvalidPathException e) {
            throw new RefusedException(
                    FailureReason.REFUSED,
                    "local directory " + dir.replace('\0', '?') + " is no path on this system: " + e.getReason());
        }
    }

    /**
     * Compares directories by their spelling: links of a file system are not followed, because the disk is not asked on
     * the loop.
     */
    private boolean isOfAnother(String application, String dir) {
        Path wanted = Path.of(dir).normalize();
        return byId.entrySet().stream()
                .filter(entry -> !entry.getKey().equals(application))
                .flatMap(entry -> entry.getValue().executors.values().stream())
                .flatMap(registration -> registration.localDirs().stream())
                .anyMatch(other -> Path.of(other).normalize().equals(wanted));
    }
}
