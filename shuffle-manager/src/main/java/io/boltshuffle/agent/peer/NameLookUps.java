package io.boltshuffle.agent.peer;

import java.io.IOException;
import java.net.InetAddress;
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

    /** Two for other hosts, because one may wait for a name server that does not answer. */
    private static final int THREADS = 2;

    /** Names that may wait. A host that finds no place counts as unreachable until it is tried again. */
    private static final int MAX_WAITING = 256;

    private static final long IDLE_SECONDS = 10;

    private final HostAddresses addresses;
    private final ThreadPoolExecutor threads;

    private NameLookUps(HostAddresses addresses, int count) {
        this.addresses = addresses;
        this.threads = new ThreadPoolExecutor(
                count, count, IDLE_SECONDS, TimeUnit.SECONDS, new ArrayBlockingQueue<>(MAX_WAITING), task -> {
                    Thread thread = new Thread(task, "bolt-agent-names");
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
    }

    /** Look-ups of other hosts' names. */
    NameLookUps(HostAddresses addresses) {
        this(addresses, THREADS);
    }

    /** Returns look-ups of the own name, one by one: one that does not end keeps no other host from being found. */
    static NameLookUps ofOwnName(HostAddresses addresses) {
        return new NameLookUps(addresses, 1);
    }

    /**
     * Returns the addresses at which the host may be found, the best first; fails if no look-up finds it, or too many
     * names wait.
     */
    CompletableFuture<List<InetAddress>> find(String host) {
        return ask(() -> addresses.toReach(host));
    }

    /** Returns the addresses on which the agent of this host listens; fails likewise. */
    CompletableFuture<List<InetAddress>> findOwn(String host) {
        return ask(() -> addresses.toListenOn(host));
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }

    private CompletableFuture<List<InetAddress>> ask(LookUp question) {
        CompletableFuture<List<InetAddress>> answer = new CompletableFuture<>();
        try {
            threads.execute(() -> answer(question, answer));
        } catch (RejectedExecutionException e) {
            answer.completeExceptionally(e);
        }
        return answer;
    }

    private static void answer(LookUp question, CompletableFuture<List<InetAddress>> answer) {
        try {
            answer.complete(question.ask());
        } catch (IOException | RuntimeException | Error e) {
            answer.completeExceptionally(e);
        }
    }

    @FunctionalInterface
    private interface LookUp {
        List<InetAddress> ask() throws IOException;
    }
}
