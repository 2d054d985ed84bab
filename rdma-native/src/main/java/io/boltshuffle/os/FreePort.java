package io.boltshuffle.os;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/**
 * Ports for processes that have to be told one, and cannot be asked which they got.
 *
 * <p>The port is free when it is returned. Nothing keeps it so: the system hands out ports in turn, so that another
 * program is unlikely to get it soon, but the process that is told it may fail to bind.
 */
public final class FreePort {
    private FreePort() {}

    /** Returns a TCP port of 127.0.0.1. */
    public static int ofLoopback() throws IOException {
        return of(InetAddress.getLoopbackAddress());
    }

    /** Returns a TCP port of an address of this machine. */
    public static int of(String host) throws IOException {
        return of(InetAddress.getByName(host));
    }

    private static int of(InetAddress address) throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, address)) {
            return socket.getLocalPort();
        }
    }
}
