package io.boltshuffle.cli.verify;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.verify.ladder.SideChannel;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The address at which two verifying hosts meet over TCP.
 *
 * @param host empty to listen on all addresses
 * @param port 1 to 65535
 */
record PeerAddress(String host, int port) {

    private static final long RETRY_MILLIS = 200;

    /** Reads {@code PORT}, {@code HOST:PORT} or {@code [V6]:PORT}. */
    static final class Converter implements ITypeConverter<PeerAddress> {
        @Override
        public PeerAddress convert(String value) {
            int colon = value.lastIndexOf(':');
            String host = colon < 0 ? "" : value.substring(0, colon).replaceAll("^\\[|]$", "");
            try {
                int port = Integer.parseInt(value.substring(colon + 1));
                if (port >= 1 && port <= 65535) {
                    return new PeerAddress(host, port);
                }
            } catch (NumberFormatException e) {
                throw new TypeConversionException("'" + value + "' has no port; write HOST:PORT");
            }
            throw new TypeConversionException("the port in '" + value + "' is not 1 to 65535");
        }
    }

    /** Listens for one peer, and stops listening when it has come. */
    SideChannel await(Duration patience) throws IOException {
        try (ServerSocket server = new ServerSocket()) {
            server.setReuseAddress(true);
            server.setSoTimeout((int) patience.toMillis());
            server.bind(host.isEmpty() ? new InetSocketAddress(port) : resolved());
            return new SideChannel(server.accept());
        } catch (SocketTimeoutException e) {
            throw BoltException.failed("no host came to port " + port + " within " + patience.toSeconds()
                    + " s: run 'bolt verify --connect' on the other host, and let its connections through the "
                    + "firewall");
        } catch (java.net.BindException e) {
            throw BoltException.environment(
                    "cannot listen on " + this + " (" + e.getMessage() + ")", "give another port");
        }
    }

    /** Connects, again and again until the other host listens: the two may be started in any order. */
    SideChannel reach(Duration patience) throws IOException {
        long deadlineNanos = System.nanoTime() + patience.toNanos();
        while (true) {
            long leftMillis = (deadlineNanos - System.nanoTime()) / 1_000_000;
            try {
                return connected((int) Math.max(1, leftMillis));
            } catch (ConnectException | SocketTimeoutException e) {
                if (leftMillis <= RETRY_MILLIS) {
                    throw BoltException.failed("no process listens on " + this + " (" + e.getMessage()
                            + "): run 'bolt verify --listen " + port + "' there first");
                }
                pause();
            }
        }
    }

    private SideChannel connected(int timeoutMillis) throws IOException {
        Socket socket = new Socket();
        try {
            socket.connect(resolved(), timeoutMillis);
            return new SideChannel(socket);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private InetSocketAddress resolved() {
        InetSocketAddress address = new InetSocketAddress(host, port);
        if (host.isEmpty() || address.isUnresolved()) {
            throw BoltException.usage("no host named '" + host + "': write HOST:PORT with a name or an address");
        }
        return address;
    }

    private static void pause() {
        try {
            Thread.sleep(RETRY_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw BoltException.failed("interrupted");
        }
    }

    @Override
    public String toString() {
        return host.isEmpty() ? "port " + port : host + ":" + port;
    }
}
