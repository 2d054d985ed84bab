package io.boltshuffle.agent.watch;

import io.boltshuffle.rdma.memory.Slab;
import io.boltshuffle.rdma.memory.SlabLocation;
import io.boltshuffle.wire.MeetingPlace;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks once a second whether executors still find the agent: by its slab, its directory, its lock and its socket.
 * Somebody may remove them, or a service that cleans up; touching them each hour keeps them from looking old to such a
 * service. It also keeps the log from growing without end.
 *
 * <p>A socket can be had again. Without the directory or the lock, a second agent might start; without the slab's name,
 * each later executor would go by TCP; a slab that was cut off ends those who read beyond its end. No system can give
 * these back, so the agent has to end.
 *
 * <p><b>Threads:</b> a thread of its own, because file systems may hang; the listener is called on it.
 */
public final class AgentWatch {

    /** Twice as much, with the old one. */
    static final long MAX_LOG_BYTES = 8 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(AgentWatch.class);
    private static final Duration TOUCHED_EACH = Duration.ofHours(1);

    /** Hears what happened. */
    public interface Listener {
        /** @throws IOException if it cannot be had again */
        void onSocketGone() throws IOException;

        /** The agent lost what it cannot get again. Called once. */
        void onLost(String what);
    }

    /** A file as it was when the agent began. */
    private record OwnFile(Path path, Object key) {
        static OwnFile of(Path path) throws IOException {
            return new OwnFile(path, attributes(path).fileKey());
        }

        /** Returns a sentence about the damage to the file, or empty if none is certain. */
        Optional<String> damage() {
            try {
                return attributes(path).fileKey().equals(key)
                        ? Optional.empty()
                        : Optional.of("somebody replaced " + path);
            } catch (NoSuchFileException e) {
                return Optional.of("somebody removed " + path);
            } catch (IOException e) {
                LOG.debug("{} cannot be looked at", path, e);
                return Optional.empty();
            }
        }

        private static BasicFileAttributes attributes(Path path) throws IOException {
            return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        }
    }

    private final MeetingPlace place;
    private final Slab slab;
    private final Listener listener;
    private final OwnFile directory;
    private final OwnFile lock;
    private OwnFile socket;
    private boolean lost;
    private final InstantSource clock;
    private Instant touched;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread watch = new Thread(task, "bolt-agent-watch");
        watch.setDaemon(true);
        return watch;
    });

    private AgentWatch(MeetingPlace place, Slab slab, Listener listener, InstantSource clock) throws IOException {
        this.place = place;
        this.slab = slab;
        this.listener = listener;
        this.clock = clock;
        this.touched = clock.instant();
        this.directory = OwnFile.of(place.directory());
        this.lock = OwnFile.of(place.agentLock());
        this.socket = OwnFile.of(place.socket());
    }

    /** Begins with what is there now: the agent has its lock, listens, and made its slab. */
    public static AgentWatch start(MeetingPlace place, Slab slab, Listener listener) throws IOException {
        return start(place, slab, listener, InstantSource.system());
    }

    /** @param clock the one by which a service that cleans up tells how old a file is; it runs on while a Mac sleeps */
    static AgentWatch start(MeetingPlace place, Slab slab, Listener listener, InstantSource clock) throws IOException {
        AgentWatch watch = new AgentWatch(place, slab, listener, clock);
        Future<?> unused = watch.thread.scheduleWithFixedDelay(watch::look, 1, 1, TimeUnit.SECONDS);
        return watch;
    }

    private void look() {
        if (lost) {
            return;
        }
        try {
            directory.damage().or(lock::damage).or(slab::damage).ifPresentOrElse(this::lose, this::keep);
        } catch (RuntimeException e) {
            LOG.error("defect in the watch of {}", place, e);
        }
    }

    private void lose(String what) {
        lost = true;
        listener.onLost(what);
    }

    private void keep() {
        keepSocket();
        keepLogShort(place);
        Instant now = clock.instant();
        if (Duration.between(touched, now).abs().compareTo(TOUCHED_EACH) > 0) {
            touched = now;
            touch(place, slab.descriptor().location());
        }
    }

    private void keepSocket() {
        Optional<String> damage = socket.damage();
        if (damage.isPresent()) {
            try {
                listener.onSocketGone();
                socket = OwnFile.of(place.socket());
                LOG.warn("{}: there is a new one", damage.get());
            } catch (IOException e) {
                lose(damage.get() + ", and there cannot be a new one: " + e);
            }
        }
    }

    /**
     * Moves the content of a long log aside. The process that started this one opened the file for appending, so that
     * what comes next is written to its new end. A line that is written in this very moment may be lost.
     */
    static void keepLogShort(MeetingPlace place) {
        try {
            if (Files.exists(place.log()) && Files.size(place.log()) > MAX_LOG_BYTES) {
                Files.copy(place.log(), place.oldLog(), StandardCopyOption.REPLACE_EXISTING);
                try (FileChannel log = FileChannel.open(place.log(), StandardOpenOption.WRITE)) {
                    log.truncate(0);
                }
            }
        } catch (IOException e) {
            LOG.debug("the log of {} stays long", place, e);
        }
    }

    /** Makes all that belongs to an agent look used. */
    static void touch(MeetingPlace place, SlabLocation slab) {
        List<Path> all = new ArrayList<>(List.of(
                place.directory(),
                place.agentLock(),
                place.startLock(),
                place.startHistory(),
                place.socket(),
                place.log()));
        Path root = place.directory().getParent();
        if (root != null) {
            all.add(root);
        }
        if (slab.kind() == SlabLocation.Kind.FILE) {
            all.add(Path.of(slab.name()));
        }
        FileTime now = FileTime.from(Instant.now());
        for (Path path : all) {
            try {
                Files.getFileAttributeView(path, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                        .setTimes(now, now, null);
            } catch (IOException e) {
                LOG.debug("{} may look old", path, e);
            }
        }
    }

    /** Ends it, and waits a little for a file system that it asks. */
    public void close() throws InterruptedException {
        thread.shutdownNow();
        if (!thread.awaitTermination(2, TimeUnit.SECONDS)) {
            LOG.debug("the watch waits for a file system");
        }
    }
}
