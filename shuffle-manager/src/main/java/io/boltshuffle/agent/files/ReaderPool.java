package io.boltshuffle.agent.files;

import io.boltshuffle.wire.FailureReason;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads on which files are read, and a look at reads that do not end: of a network mount whose server is gone, of
 * a disk that hangs. Nothing ends such a read, or its thread, but the file system.
 *
 * <p><b>Invariant:</b> as many threads as were asked for can read, whatever hangs: one whose read hangs is replaced.
 * That ends when {@link #MOST_HANGING} of them hang, and all of the others, too; then all work is refused. While a read
 * of a local directory hangs, no other one of it begins, and of an application of which {@link #MOST_OF_ONE_FOR_EACH}
 * for each thread hang, none at all. So one application takes no more than three times the threads that can read, and
 * the others wait for it no longer than it takes to see three times that its reads hang.
 *
 * <p><b>Threads:</b> any may call {@link #execute}. The looks come from one thread at a time.
 */
public final class ReaderPool implements Executor {

    /** A read hangs if so many looks see it; they are so far apart. A host that was asleep had no looks. */
    public static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    static final int LOOKS = 4;

    /** The most threads that are replaced. */
    static final int MOST_HANGING = 16;

    private static final int MOST_OF_ONE_FOR_EACH = 2;

    /** The number of looks for which the end waits for reads that are not known to hang. */
    private static final int LOOKS_AT_END = 10;

    private static final String ALL_HANG = "all readers of the agent wait for reads that hang";

    private static final Logger LOG = LoggerFactory.getLogger(ReaderPool.class);

    /** Work that wants to hear that it waits for a read that hangs. */
    public interface Work extends Runnable {
        /** A read of it hangs; it may end some day. */
        void hangs(String detail);

        /** All readers hang, and it is not begun. */
        void refuse(String detail);
    }

    /** One read. Each is an object of its own, by which a look tells it from the one before. */
    private static final class Read {
        private final String application;
        private final Path file;

        Read(String application, Path file) {
            this.application = application;
            this.file = file;
        }

        /** Spark lays files down in subdirectories of a local directory. */
        Path directory() {
            Path parent = file.getParent();
            Path directory = parent == null ? null : parent.getParent();
            return directory == null ? file : directory;
        }
    }

    /**
     * The reads that hang, by directory.
     *
     * @param applications of which too much does
     */
    private record Hanging(Map<Path, HangingReads> directories, Set<String> applications, boolean all) {
        static final Hanging NOTHING = new Hanging(Map.of(), Set.of(), false);

        void check(Read read) throws BlockUnavailableException {
            HangingReads there = directories.get(read.directory());
            if (there != null) {
                throw new BlockUnavailableException(FailureReason.STORAGE_HANGS, there.toString());
            }
            if (applications.contains(read.application)) {
                throw new BlockUnavailableException(
                        FailureReason.STORAGE_HANGS, "too many reads of " + read.application + " hang");
            }
        }
    }

    private final class ReaderThread extends Thread {
        private volatile @Nullable Read read;
        private volatile @Nullable Runnable work;
        /** The read that the last look saw. */
        private @Nullable Read seen;

        private int looks;
        private Instant since = Instant.EPOCH;

        ReaderThread(Runnable task) {
            super(task, "bolt-agent-reader");
        }

        @Override
        public void run() {
            threads.add(this);
            try {
                super.run();
            } finally {
                threads.remove(this);
            }
        }

        void begin(Read next) throws BlockUnavailableException {
            Hanging now = hanging;
            if (!now.directories().isEmpty()) {
                now.check(next);
            }
            read = next;
        }

        /** Looks once more; true if the read hangs. */
        boolean look() {
            Read now = read;
            if (now == null || now != seen) {
                seen = now;
                looks = 0;
            }
            looks++;
            if (now == null || looks < LOOKS) {
                return false;
            }
            if (looks == LOOKS) {
                since = clock.instant().minusNanos(LOOKS * LOOK_NANOS).truncatedTo(ChronoUnit.SECONDS);
            }
            return true;
        }

        boolean hangs() {
            return seen != null && read == seen && looks >= LOOKS;
        }
    }

    private final int size;
    private final InstantSource clock;
    private final Set<ReaderThread> threads = ConcurrentHashMap.newKeySet();
    private final ThreadPoolExecutor pool;
    private volatile Hanging hanging = Hanging.NOTHING;

    /**
     * @param size how many threads can read
     * @param onDefect told of what no work could be told of
     */
    public ReaderPool(int size, InstantSource clock, Consumer<Throwable> onDefect) {
        this.size = size;
        this.clock = clock;
        this.pool = new Pool(size, task -> {
            ReaderThread thread = new ReaderThread(task);
            thread.setDaemon(true);
            thread.setUncaughtExceptionHandler((ended, cause) -> onDefect.accept(cause));
            return thread;
        });
    }

    /** Threads know what they work on. */
    private static final class Pool extends ThreadPoolExecutor {
        Pool(int size, ThreadFactory factory) {
            super(size, size, 0, TimeUnit.NANOSECONDS, new LinkedBlockingQueue<>(), factory);
        }

        @Override
        protected void beforeExecute(Thread thread, Runnable work) {
            ((ReaderThread) thread).work = work;
        }

        @Override
        protected void afterExecute(Runnable work, @Nullable Throwable thrown) {
            ((ReaderThread) Thread.currentThread()).work = null;
        }
    }

    /** {@link Work} is told if it waits for reads that hang. */
    @Override
    public void execute(Runnable work) {
        if (hanging.all() && work instanceof Work refused) {
            refused.refuse(ALL_HANG);
        } else {
            pool.execute(work);
        }
    }

    /**
     * Tells that this thread reads a file, or opens it, from now until {@link #end} or the next file. It has no effect
     * on a thread that is no reader.
     *
     * @throws BlockUnavailableException if reads of the file's local directory hang, or too many of the application
     */
    static void begin(String application, Path file) throws BlockUnavailableException {
        if (Thread.currentThread() instanceof ReaderThread reader) {
            reader.begin(new Read(application, file));
        }
    }

    /** Tells that this thread reads no file. */
    static void end() {
        if (Thread.currentThread() instanceof ReaderThread reader) {
            reader.read = null;
        }
    }

    /** Looks for reads that hang. To be called each {@link #LOOK_NANOS}. */
    public synchronized void look() {
        List<ReaderThread> stuck = threads.stream().filter(ReaderThread::look).toList();
        Hanging before = hanging;
        Hanging now = stuck.isEmpty() ? Hanging.NOTHING : hanging(stuck);
        hanging = now;
        resize(size + Math.min(stuck.size(), MOST_HANGING));
        log(before.directories(), now.directories());
        stuck.forEach(thread -> tell(thread, now));
        if (now.all()) {
            refuseAll();
        }
    }

    private Hanging hanging(List<ReaderThread> stuck) {
        Map<Path, HangingReads> directories = new HashMap<>();
        Map<String, Integer> ofApplication = new HashMap<>();
        for (ReaderThread thread : stuck) {
            Read read = Objects.requireNonNull(thread.seen);
            ofApplication.merge(read.application, 1, Integer::sum);
            directories.merge(
                    read.directory(),
                    new HangingReads(read.directory().toString(), read.application, 1, thread.since.toString()),
                    HangingReads::and);
        }
        Set<String> applications = ofApplication.entrySet().stream()
                .filter(entry -> entry.getValue() >= MOST_OF_ONE_FOR_EACH * size)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
        return new Hanging(directories, applications, stuck.size() >= size + MOST_HANGING);
    }

    private void resize(int wanted) {
        if (wanted > pool.getMaximumPoolSize()) {
            pool.setMaximumPoolSize(wanted);
            pool.setCorePoolSize(wanted);
        } else if (wanted < pool.getMaximumPoolSize()) {
            pool.setCorePoolSize(wanted);
            pool.setMaximumPoolSize(wanted);
        }
    }

    private static void log(Map<Path, HangingReads> before, Map<Path, HangingReads> now) {
        now.forEach((directory, reads) -> {
            if (!before.containsKey(directory)) {
                LOG.warn("{}: its blocks go by TCP until these end", reads);
            }
        });
        before.forEach((directory, reads) -> {
            if (!now.containsKey(directory)) {
                LOG.info("reads of {} end again", directory);
            }
        });
    }

    /** Reports each read once; the pulls that wait for its work go by TCP at once. */
    private static void tell(ReaderThread thread, Hanging now) {
        Read read = thread.seen;
        Runnable work = thread.work;
        // The same read still: so the work is the one that reads.
        if (thread.looks == LOOKS && read != null && thread.read == read && work instanceof Work told) {
            told.hangs(String.valueOf(now.directories().get(read.directory())));
        }
    }

    private void refuseAll() {
        List<Runnable> waiting = new ArrayList<>();
        pool.getQueue().drainTo(waiting);
        for (Runnable work : waiting) {
            if (work instanceof Work refused) {
                refused.refuse(ALL_HANG);
            } else {
                pool.execute(work);
            }
        }
    }

    /** Returns the directories of which reads hang. */
    public List<HangingReads> status() {
        return hanging.directories().values().stream()
                .sorted(Comparator.comparing(HangingReads::directory))
                .toList();
    }

    /** Takes no more work, and waits for what was given before, but not for reads that hang: no process ends those. */
    public void close() throws InterruptedException {
        pool.shutdown();
        for (int looks = 0; !pool.awaitTermination(LOOK_NANOS, TimeUnit.NANOSECONDS); looks++) {
            look();
            boolean onlyThoseThatHang = !threads.isEmpty() && threads.stream().allMatch(ReaderThread::hangs);
            if (onlyThoseThatHang || looks == LOOKS_AT_END) {
                LOG.warn("reads of files do not end: {}", status());
                return;
            }
        }
    }
}
