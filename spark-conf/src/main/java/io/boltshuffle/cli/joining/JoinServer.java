package io.boltshuffle.cli.joining;

import io.boltshuffle.cli.base.Counted;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for machines that want to join.
 *
 * <p><b>Invariant:</b> at most {@link #MOST_AT_ONCE} connections are open, {@link #MOST_OF_AN_ADDRESS} of one address,
 * each for a limited time. An address that has used its tries is closed before anything is computed for it.
 *
 * <p><b>Threads:</b> one accepts, one ends what takes too long, and each connection has one.
 *
 * <p><b>Ownership:</b> closing it closes the socket that it was given, and every connection.
 */
public final class JoinServer implements AutoCloseable {
    static final int MOST_AT_ONCE = 32;
    static final int MOST_OF_AN_ADDRESS = 4;

    private static final Logger LOG = LoggerFactory.getLogger(JoinServer.class);
    private static final long ACCEPT_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long LOG_INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final ServerSocket socket;
    private final SSLContext tls;
    private final JoinDesk desk;
    private final Limits limits;
    private final TryBudget budget = new TryBudget(System::nanoTime);
    private final ExecutorService threads = Executors.newCachedThreadPool(JoinServer::daemon);
    private final ScheduledExecutorService deadlines = Executors.newSingleThreadScheduledExecutor(JoinServer::daemon);
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final Map<InetAddress, Integer> ofAddress = new HashMap<>();
    private long refused;
    private long nextLogNanos = System.nanoTime();

    /**
     * Times that a caller has.
     *
     * @param stranger until it has proved something
     * @param member from then on
     * @param delay before a wrong proof is answered
     */
    record Limits(Duration stranger, Duration member, Duration delay) {
        static final Limits USUAL = new Limits(Duration.ofSeconds(15), Duration.ofMinutes(10), Duration.ofMillis(300));
    }

    private JoinServer(ServerSocket socket, SSLContext tls, JoinDesk desk, Limits limits) {
        this.socket = socket;
        this.tls = tls;
        this.desk = desk;
        this.limits = limits;
    }

    /** Serves until it is closed. */
    public static JoinServer start(
            ServerSocket socket,
            Identity identity,
            String release,
            ClusterOffer offer,
            LiveCodes codes,
            Members members) {
        return start(
                socket,
                identity.server(),
                new JoinDesk(release, identity.fingerprint(), offer, codes, members),
                Limits.USUAL);
    }

    static JoinServer start(ServerSocket socket, SSLContext tls, JoinDesk desk, Limits limits) {
        JoinServer server = new JoinServer(socket, tls, desk, limits);
        server.threads.execute(server::acceptAll);
        return server;
    }

    /** Returns the port at which it listens. */
    public int port() {
        return socket.getLocalPort();
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "bolt-join");
        thread.setDaemon(true);
        return thread;
    }

    private void acceptAll() {
        while (!socket.isClosed()) {
            try {
                accept(socket.accept());
            } catch (IOException | RejectedExecutionException | OutOfMemoryError e) {
                // It is closed, or there is no descriptor or thread for now, which may last.
                LOG.debug("while accepting", e);
                LockSupport.parkNanos(ACCEPT_PAUSE_NANOS);
            }
        }
    }

    private void accept(Socket caller) throws IOException {
        InetAddress address = caller.getInetAddress();
        if (!enter(address)) {
            caller.close();
            countRefused(address);
            return;
        }
        open.add(caller);
        try {
            threads.execute(() -> converse(caller, address));
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            open.remove(caller);
            leave(address);
            caller.close();
            throw e;
        }
    }

    private synchronized boolean enter(InetAddress address) {
        int sameAddress = ofAddress.getOrDefault(address, 0);
        int all = ofAddress.values().stream().mapToInt(Integer::intValue).sum();
        if (sameAddress >= MOST_OF_AN_ADDRESS || all >= MOST_AT_ONCE || !budget.take(address)) {
            return false;
        }
        ofAddress.put(address, sameAddress + 1);
        return true;
    }

    private synchronized void leave(InetAddress address) {
        ofAddress.computeIfPresent(address, (same, count) -> count == 1 ? null : count - 1);
    }

    private void converse(Socket caller, InetAddress address) {
        boolean proven = false;
        try (caller;
                Connection connection = new Connection(caller)) {
            proven = desk.serve(connection);
        } catch (IOException e) {
            LOG.debug("{}", address, e);
        } catch (RuntimeException e) {
            LOG.warn("{} could not be served: {}", address.getHostAddress(), e.toString());
        } finally {
            open.remove(caller);
            if (proven) {
                budget.giveBack(address);
            } else {
                countRefused(address);
            }
            leave(address);
        }
    }

    /** Says aloud at most once a minute that somebody tries. */
    private synchronized void countRefused(InetAddress address) {
        refused++;
        if (System.nanoTime() - nextLogNanos >= 0) {
            LOG.warn(
                    "{} so far proved nothing, the last one from {}",
                    Counted.of(refused, "caller"),
                    address.getHostAddress());
            nextLogNanos = System.nanoTime() + LOG_INTERVAL_NANOS;
        }
    }

    /** A caller's connection, which ends when its time is over. */
    private final class Connection implements JoinDesk.Line, AutoCloseable {
        private final Socket plain;
        private final SSLSocket secure;
        private ScheduledFuture<?> end;

        Connection(Socket plain) throws IOException {
            this.plain = plain;
            this.end = endAfter(limits.stranger());
            this.secure = (SSLSocket) tls.getSocketFactory().createSocket(plain, null, true);
            secure.setUseClientMode(false);
            secure.setEnabledProtocols(new String[] {Identity.TLS});
        }

        private ScheduledFuture<?> endAfter(Duration time) {
            return deadlines.schedule(() -> closeQuietly(plain), time.toMillis(), TimeUnit.MILLISECONDS);
        }

        @Override
        public String address() {
            return plain.getInetAddress().getHostAddress();
        }

        @Override
        public InputStream in() throws IOException {
            return secure.getInputStream();
        }

        @Override
        public OutputStream out() throws IOException {
            return secure.getOutputStream();
        }

        @Override
        public void trust() {
            end.cancel(false);
            end = endAfter(limits.member());
        }

        @Override
        public void delay() throws IOException {
            try {
                TimeUnit.MILLISECONDS.sleep(limits.delay().toMillis());
            } catch (InterruptedException e) {
                throw new InterruptedIOException();
            }
        }

        @Override
        public void close() throws IOException {
            end.cancel(false);
            secure.close();
        }
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            LOG.debug("while closing", e);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
        open.forEach(JoinServer::closeQuietly);
        threads.shutdownNow();
        deadlines.shutdownNow();
    }
}
