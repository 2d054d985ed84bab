package io.boltshuffle.agent.peer;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Looks host names up, which may take seconds each, on threads that do nothing else: files are read meanwhile.
 *
 * <p><b>Ownership:</b> its maker closes it.
 */
final class NameLookUps implements AutoCloseable {

    /** Two, because one may wait for a name server that does not answer. */
    private static final int THREADS = 2;

    /** Names that may wait. A host that finds no place counts as unreachable until it is tried again. */
    private static final int MAX_WAITING = 256;

    private static final long IDLE_SECONDS = 10;

    private final HostAddresses addresses;
    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            THREADS, THREADS, IDLE_SECONDS, TimeUnit.SECONDS, new ArrayBlockingQueue<>(MAX_WAITING), task -> {
                Thread thread = new Thread(task, "bolt-agent-names");
                thread.setDaemon(true);
                return thread;
            });

    NameLookUps(HostAddresses addresses) {
        this.addresses = addresses;
        threads.allowCoreThreadTimeOut(true);
    }

    /** Where the host may be found, the best first; fails if no look-up finds it, or too many names wait. */
    CompletableFuture<List<InetAddress>> find(String host) {
        CompletableFuture<List<InetAddress>> answer = new CompletableFuture<>();
        try {
            threads.execute(() -> lookUp(host, answer));
        } catch (RejectedExecutionException e) {
            answer.completeExceptionally(e);
        }
        return answer;
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }

    private void lookUp(String host, CompletableFuture<List<InetAddress>> answer) {
        try {
            answer.complete(addresses.toReach(host));
        } catch (UnknownHostException | RuntimeException | Error e) {
            answer.completeExceptionally(e);
        }
    }
}
