package io.boltshuffle.os;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends a process and everything it started, by process id: it first asks, then uses force.
 *
 * <p><b>Threads:</b> any.
 */
public final class ProcessTree {
    public static final Duration GRACE = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(ProcessTree.class);
    private static final long LOOK_AGAIN_MILLIS = 10;

    private ProcessTree() {}

    /** Ends the tree. It returns when no process of the tree is left, or after a bounded wait. */
    public static void end(Process root) {
        end(root, GRACE);
    }

    /** Ends the tree with another wait, once for each of the two signals. */
    public static void end(Process root, Duration grace) {
        if (end(List.of(root.toHandle()), grace)) {
            awaitExitCode(root, grace);
        }
    }

    /**
     * Ends several trees at the same time, those of processes that others started among them.
     *
     * @return whether no process of them is left
     */
    public static boolean end(Collection<ProcessHandle> roots, Duration grace) {
        // The list is taken before the first signal, because an orphan is no longer a descendant of any of them.
        List<ProcessHandle> all = roots.stream()
                .flatMap(root -> Stream.concat(Stream.of(root), root.descendants()))
                .distinct()
                .toList();
        all.forEach(ProcessHandle::destroy);
        if (allEnded(all, grace)) {
            return true;
        }
        all.forEach(ProcessHandle::destroyForcibly);
        return allEnded(all, grace);
    }

    /** Waits until this JVM, too, knows that its child has ended; that takes milliseconds after the end. */
    private static void awaitExitCode(Process root, Duration limit) {
        try {
            boolean known = root.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
            if (!known) {
                LOG.debug("process {} has ended, and its exit code is not known after {}", root.pid(), limit);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Waits for processes that are about to end by themselves, and ends by force those that have not after
     * {@code grace}.
     */
    public static void await(Collection<ProcessHandle> ending, Duration grace) {
        if (!allEnded(ending, grace)) {
            ending.forEach(ProcessHandle::destroyForcibly);
            allEnded(ending, GRACE);
        }
    }

    /**
     * Returns false for a process that ended, even if its parent has not taken note of that. Where the first process of
     * a container does not do so for orphans, such a process stays in the system's table, and
     * {@link ProcessHandle#isAlive} is true for as long as the container runs.
     */
    public static boolean isAlive(ProcessHandle process) {
        return process.isAlive() && !isZombie(process.pid());
    }

    private static boolean isZombie(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"), StandardCharsets.ISO_8859_1);
            // "PID (NAME) STATE ...", where the name may hold anything.
            int state = stat.lastIndexOf(')') + 2;
            return state < stat.length() && stat.charAt(state) == 'Z';
        } catch (IOException e) {
            return false; // It has gone meanwhile, or this system has no such file.
        }
    }

    private static boolean allEnded(Collection<ProcessHandle> tree, Duration grace) {
        long deadline = System.nanoTime() + grace.toNanos();
        while (tree.stream().anyMatch(ProcessTree::isAlive)) {
            if (System.nanoTime() - deadline > 0) {
                return false;
            }
            try {
                TimeUnit.MILLISECONDS.sleep(LOOK_AGAIN_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return true;
    }
}
