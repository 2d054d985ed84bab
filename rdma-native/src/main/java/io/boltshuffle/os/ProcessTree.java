package io.boltshuffle.os;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * Ends a process and everything it started, by process id: it first asks, then uses force.
 *
 * <p><b>Threads:</b> any.
 */
public final class ProcessTree {
    public static final Duration GRACE = Duration.ofSeconds(10);

    private ProcessTree() {}

    /** Ends the tree. It returns when no process of the tree is left, or after a bounded wait. */
    public static void end(Process root) {
        end(root, GRACE);
    }

    /** Ends the tree with another wait, once for each of the two signals. */
    public static void end(Process root, Duration grace) {
        // The list is taken before the first signal, because an orphan is no longer a descendant of any of them.
        List<ProcessHandle> tree =
                Stream.concat(Stream.of(root.toHandle()), root.descendants()).toList();
        tree.forEach(ProcessHandle::destroy);
        if (!allEnded(tree, grace)) {
            tree.forEach(ProcessHandle::destroyForcibly);
            allEnded(tree, grace);
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

    private static boolean allEnded(Collection<ProcessHandle> tree, Duration grace) {
        try {
            CompletableFuture.allOf(tree.stream().map(ProcessHandle::onExit).toArray(CompletableFuture[]::new))
                    .get(grace.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }
}
