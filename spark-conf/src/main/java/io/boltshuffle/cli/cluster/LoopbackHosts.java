package io.boltshuffle.cli.cluster;

import io.boltshuffle.cli.base.BoltException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.stream.IntStream;

/** Addresses of this machine that act as hosts: 127.0.0.2 and up. */
final class LoopbackHosts {
    private LoopbackHosts() {}

    /** Linux answers on the whole network 127; macOS only on addresses that were given to its loopback interface. */
    static List<String> first(int count) {
        List<String> hosts =
                IntStream.range(0, count).mapToObj(i -> "127.0.0." + (i + 2)).toList();
        hosts.forEach(LoopbackHosts::requireUsable);
        return hosts;
    }

    private static void requireUsable(String host) {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(host))) {
            assert socket.isBound();
        } catch (IOException e) {
            throw BoltException.environment(
                    host + " is not an address of this machine", "run 'sudo ifconfig lo0 alias " + host + " up'");
        }
    }
}
