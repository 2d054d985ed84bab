package io.boltshuffle.cli.cluster;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.os.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Addresses of this machine that act as hosts: 127.0.0.2 and up.
 *
 * @param hosts addresses that this machine answers on
 */
public record LoopbackHosts(List<String> hosts) implements HostNetwork {
    /** The address of masters and drivers. No host has it, so that none shares a disk with them. */
    static final String DRIVER = "127.0.0.1";

    /** Linux answers on the whole network 127; macOS only on addresses that were given to its loopback interface. */
    public static LoopbackHosts first(int count) {
        List<String> hosts =
                IntStream.range(0, count).mapToObj(i -> "127.0.0." + (i + 2)).toList();
        hosts.forEach(LoopbackHosts::requireUsable);
        return new LoopbackHosts(hosts);
    }

    @Override
    public String driver() {
        return DRIVER;
    }

    @Override
    public ProcessBuilder on(String host, ProcessBuilder process) {
        return process;
    }

    /** The hosts share the ports of one machine, but each has them at an address of its own. */
    @Override
    public int freePort() {
        try {
            return FreePort.of(hosts.get(0));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
