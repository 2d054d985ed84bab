package io.boltshuffle.cli;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * Ends a process and everything it started, by process id: first as asked, then by force.
 *
 * <p><b>Threads:</b> any.
 */
public final class ProcessTree {
    private static final Duration GRACE = Duration.ofSeconds(10);

    private ProcessTree() {}

    /** Returns when no process of the tree is left, or after a bounded wait. */
    public static void end(Process root) {
        // The list is taken before the first signal: an orphan is no longer anybody's descendant.
        List<ProcessHandle> tree =
                Stream.concat(Stream.of(root.toHandle()), root.descendants()).toList();
        tree.forEach(ProcessHandle::destroy);
        if (!allEnded(tree)) {
            tree.forEach(ProcessHandle::destroyForcibly);
            allEnded(tree);
        }
    }

    private static boolean allEnded(List<ProcessHandle> tree) {
        try {
            CompletableFuture.allOf(tree.stream().map(ProcessHandle::onExit).toArray(CompletableFuture[]::new))
                    .get(GRACE.toSeconds(), TimeUnit.SECONDS);
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
