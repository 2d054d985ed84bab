package io.boltshuffle.loop;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.StringJoiner;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Connects to one of several addresses, which it tries in turn. All attempts share one deadline, and each remaining
 * address gets an equal share of the time that is left, so an address that never answers does not keep the others from
 * their turn.
 *
 * <p><b>Threads:</b> confined to its loop. The chain ends by exactly one callback unless it is closed first.
 */
public final class ConnectorChain implements AutoCloseable {

    private final EventLoop loop;
    private final List<InetSocketAddress> addresses;
    private final long deadlineNanos;
    private final Consumer<SocketChannel> onConnected;
    private final Consumer<IOException> onFailure;
    private final StringJoiner failures = new StringJoiner("; ");
    private @Nullable Connector current;
    private int tried;
    private boolean closed;

    private ConnectorChain(
            EventLoop loop,
            List<InetSocketAddress> addresses,
            long timeoutNanos,
            Consumer<SocketChannel> onConnected,
            Consumer<IOException> onFailure) {
        this.loop = loop;
        this.addresses = List.copyOf(addresses);
        this.deadlineNanos = loop.nanoTime() + timeoutNanos;
        this.onConnected = onConnected;
        this.onFailure = onFailure;
    }

    /**
     * @param addresses resolved, the best first
     * @param onConnected is given the channel, and owns it
     * @param onFailure is told what each address answered
     */
    public static ConnectorChain start(
            EventLoop loop,
            List<InetSocketAddress> addresses,
            long timeoutNanos,
            Consumer<SocketChannel> onConnected,
            Consumer<IOException> onFailure) {
        ConnectorChain chain = new ConnectorChain(loop, addresses, timeoutNanos, onConnected, onFailure);
        loop.execute(chain::next);
        return chain;
    }

    @Override
    public void close() {
        closed = true;
        if (current != null) {
            current.close();
        }
    }

    private void next() {
        if (closed) {
            return;
        }
        if (tried == addresses.size()) {
            onFailure.accept(new IOException(failures.length() == 0 ? "no address" : failures.toString()));
            return;
        }
        InetSocketAddress address = addresses.get(tried);
        long share = (deadlineNanos - loop.nanoTime()) / (addresses.size() - tried);
        tried++;
        try {
            current = Connector.start(
                    loop, SocketChannel.open(), address, share, onConnected, cause -> failed(address, cause));
        } catch (IOException e) {
            failed(address, e);
        }
    }

    private void failed(InetSocketAddress address, Exception cause) {
        current = null;
        failures.add(address.getAddress().getHostAddress() + ": " + cause.getMessage());
        next();
    }
}
