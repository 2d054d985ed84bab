package io.boltshuffle.loop;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Accepts the connections of a listening socket. If a connection cannot be accepted, for example for want of
 * descriptors, it stays in the socket's backlog and the selector would report it again at once, for ever. The acceptor
 * therefore pauses for a while.
 *
 * <p><b>Ownership:</b> owns the socket.
 *
 * <p><b>Threads:</b> confined to its loop.
 */
public final class Acceptor implements EventLoop.Handler, AutoCloseable {

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** A failure within this time after another belongs to the same trouble, which was already reported. */
    private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final EventLoop loop;
    private final ServerSocketChannel server;
    private final Taking taking;
    private final Consumer<SocketChannel> onConnection;
    private final Consumer<Exception> onFailure;

    private @Nullable SelectionKey key;
    /** Takes the next connection of the socket; returns null if none waits. */
    @FunctionalInterface
    interface Taking {
        @Nullable SocketChannel next() throws IOException;
    }

    private boolean failedBefore;
    private long failedNanos;

    private Acceptor(
            EventLoop loop,
            ServerSocketChannel server,
            Taking taking,
            Consumer<SocketChannel> onConnection,
            Consumer<Exception> onFailure) {
        this.loop = loop;
        this.server = server;
        this.taking = taking;
        this.onConnection = onConnection;
        this.onFailure = onFailure;
    }

    /**
     * @param server bound and listening; owned by the acceptor from now on, even if this call fails
     * @param onFailure is told that connections cannot be accepted, once for as long as that lasts; listening goes on
     */
    public static Acceptor open(
            EventLoop loop,
            ServerSocketChannel server,
            Consumer<SocketChannel> onConnection,
            Consumer<Exception> onFailure)
            throws IOException {
        return open(loop, server, server::accept, onConnection, onFailure);
    }

    static Acceptor open(
            EventLoop loop,
            ServerSocketChannel server,
            Taking taking,
            Consumer<SocketChannel> onConnection,
            Consumer<Exception> onFailure)
            throws IOException {
        Acceptor acceptor = new Acceptor(loop, server, taking, onConnection, onFailure);
        try {
            acceptor.key = loop.register(server, SelectionKey.OP_ACCEPT, acceptor);
        } catch (IOException | RuntimeException | Error e) {
            server.close();
            throw e;
        }
        return acceptor;
    }

    @Override
    public void onReady() throws IOException {
        for (SocketChannel next = taking.next(); next != null; next = taking.next()) {
            onConnection.accept(next);
        }
    }

    @Override
    public void onFault(Exception cause) {
        pause();
        long now = loop.nanoTime();
        boolean isNews = !failedBefore || now - failedNanos > QUIET_NANOS;
        failedBefore = true;
        failedNanos = now;
        if (isNews) {
            onFailure.accept(cause);
        }
    }

    private void pause() {
        SelectionKey registered = key;
        if (registered != null && registered.isValid()) {
            registered.interestOps(0);
            loop.after(PAUSE_NANOS, () -> {
                if (registered.isValid()) {
                    registered.interestOps(SelectionKey.OP_ACCEPT);
                }
            });
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
