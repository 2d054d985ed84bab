package io.boltshuffle.cli.verify.ladder;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A reading of the CPU time that each thread of this process has used, but those of the virtual Thunderbolt, which do
 * what hardware does on a cable.
 *
 * <p>Where the system does not show threads as files (macOS), only Java's threads count: not the compiler's and the
 * collector's.
 */
final class CpuClock {

    private static final String VIRTUAL_HARDWARE = "vtb-";
    private static final Path TASKS = Path.of("/proc/self/task");
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final Map<String, Long> nanosByThread;

    CpuClock(Map<String, Long> nanosByThread) {
        this.nanosByThread = Map.copyOf(nanosByThread);
    }

    static CpuClock read() {
        return new CpuClock(Files.isDirectory(TASKS) ? ofTasks() : ofJavaThreads());
    }

    /** Nanoseconds used since an earlier reading. What a thread used that has ended meanwhile is not known. */
    long nanosSince(CpuClock earlier) {
        long sum = 0;
        for (Map.Entry<String, Long> thread : nanosByThread.entrySet()) {
            sum += thread.getValue() - earlier.nanosByThread.getOrDefault(thread.getKey(), 0L);
        }
        return sum;
    }

    /** Returns the CPU time of the calling thread, in nanoseconds. */
    static long nanosOfThisThread() {
        return THREADS.getCurrentThreadCpuTime();
    }

    private static Map<String, Long> ofTasks() {
        try (Stream<Path> tasks = Files.list(TASKS)) {
            List<Path> all = tasks.toList();
            Map<String, Long> nanos = new HashMap<>();
            for (Path task : all) {
                putTask(nanos, task);
            }
            return nanos;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void putTask(Map<String, Long> nanos, Path task) throws IOException {
        try {
            if (!Files.readString(task.resolve("comm")).startsWith(VIRTUAL_HARDWARE)) {
                String running = Files.readString(task.resolve("schedstat"));
                nanos.put(task.getFileName().toString(), Long.parseLong(running.substring(0, running.indexOf(' '))));
            }
        } catch (NoSuchFileException e) {
            // It has ended meanwhile.
        }
    }

    private static Map<String, Long> ofJavaThreads() {
        Map<String, Long> nanos = new HashMap<>();
        for (long id : THREADS.getAllThreadIds()) {
            long used = THREADS.getThreadCpuTime(id);
            if (used >= 0) {
                nanos.put(Long.toString(id), used);
            }
        }
        return nanos;
    }
}
