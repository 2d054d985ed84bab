package io.boltshuffle.loop;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.function.Consumer;

/** Takes connections of a listening socket. Owns the socket. Confined to its loop. */
public final class Acceptor implements EventLoop.Handler, AutoCloseable {

    private final ServerSocketChannel server;
    private final Consumer<SocketChannel> onConnection;
    private final Consumer<Exception> onFailure;

    private Acceptor(ServerSocketChannel server, Consumer<SocketChannel> onConnection, Consumer<Exception> onFailure) {
        this.server = server;
        this.onConnection = onConnection;
        this.onFailure = onFailure;
    }

    /**
     * @param server bound and listening; owned from now on, also when this fails
     * @param onFailure told of a connection that could not be taken, such as for want of descriptors; listening goes on
     */
    public static Acceptor open(
            EventLoop loop,
            ServerSocketChannel server,
            Consumer<SocketChannel> onConnection,
            Consumer<Exception> onFailure)
            throws IOException {
        Acceptor acceptor = new Acceptor(server, onConnection, onFailure);
        try {
            loop.register(server, SelectionKey.OP_ACCEPT, acceptor);
        } catch (IOException | RuntimeException e) {
            server.close();
            throw e;
        }
        return acceptor;
    }

    @Override
    public void onReady() throws IOException {
        for (SocketChannel next = server.accept(); next != null; next = server.accept()) {
            onConnection.accept(next);
        }
    }

    @Override
    public void onFault(Exception cause) {
        onFailure.accept(cause);
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
