package io.boltshuffle.rdma.link.verify;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * CPU time of all threads of this process but those of the virtual Thunderbolt, which do what hardware does on a cable.
 *
 * <p>Where the system does not show threads as files (macOS), only Java's threads count: not the compiler's and the
 * collector's.
 */
final class CpuClock {

    private static final String VIRTUAL_HARDWARE = "vtb-";
    private static final Path TASKS = Path.of("/proc/self/task");
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private CpuClock() {}

    /** Of threads that live; nanoseconds. */
    static long nanos() {
        return Files.isDirectory(TASKS) ? ofTasks() : ofJavaThreads();
    }

    /** Of the calling thread; nanoseconds. */
    static long nanosOfThisThread() {
        return THREADS.getCurrentThreadCpuTime();
    }

    private static long ofTasks() {
        try (Stream<Path> tasks = Files.list(TASKS)) {
            List<Path> all = tasks.toList();
            long sum = 0;
            for (Path task : all) {
                sum += ofTask(task);
            }
            return sum;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long ofTask(Path task) throws IOException {
        try {
            if (Files.readString(task.resolve("comm")).startsWith(VIRTUAL_HARDWARE)) {
                return 0;
            }
            String running = Files.readString(task.resolve("schedstat"));
            return Long.parseLong(running.substring(0, running.indexOf(' ')));
        } catch (NoSuchFileException e) {
            return 0; // ended meanwhile
        }
    }

    private static long ofJavaThreads() {
        return Arrays.stream(THREADS.getAllThreadIds())
                .map(THREADS::getThreadCpuTime)
                .filter(nanos -> nanos > 0)
                .sum();
    }
}
