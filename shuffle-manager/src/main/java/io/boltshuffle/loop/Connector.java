package io.boltshuffle.loop;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.function.Consumer;

/**
 * Connects without blocking. It is confined to its loop, and ends by exactly one callback unless it is closed first.
 */
public final class Connector implements EventLoop.Handler, AutoCloseable {

    private final SocketChannel channel;
    private final Consumer<SocketChannel> onConnected;
    private final Consumer<Exception> onFailure;
    private final Loop.Timer deadline;
    private boolean over;

    private Connector(
            EventLoop loop,
            SocketChannel channel,
            long timeoutNanos,
            Consumer<SocketChannel> onConnected,
            Consumer<Exception> onFailure) {
        this.channel = channel;
        this.onConnected = onConnected;
        this.onFailure = onFailure;
        this.deadline = loop.after(timeoutNanos, () -> onFault(new IOException("no answer in time")));
    }

    /**
     * @param channel open, and bound if it has to be; owned by the connector from now on
     * @param onConnected is given the channel, and owns it
     */
    public static Connector start(
            EventLoop loop,
            SocketChannel channel,
            SocketAddress address,
            long timeoutNanos,
            Consumer<SocketChannel> onConnected,
            Consumer<Exception> onFailure) {
        Connector connector = new Connector(loop, channel, timeoutNanos, onConnected, onFailure);
        try {
            SelectionKey key = loop.register(channel, SelectionKey.OP_CONNECT, connector);
            if (channel.connect(address)) {
                key.interestOps(0);
                loop.execute(connector::connected);
            }
        } catch (IOException | RuntimeException e) {
            loop.execute(() -> connector.onFault(e));
        }
        return connector;
    }

    @Override
    public void onReady() throws IOException {
        if (channel.finishConnect()) {
            connected();
        }
    }

    @Override
    public void onFault(Exception cause) {
        if (!over) {
            close();
            onFailure.accept(cause);
        }
    }

    @Override
    public void close() {
        over = true;
        deadline.cancel();
        try {
            channel.close();
        } catch (IOException e) {
            throw new IllegalStateException("a socket that cannot be closed", e);
        }
    }

    private void connected() {
        if (!over) {
            over = true;
            deadline.cancel();
            onConnected.accept(channel);
        }
    }
}
