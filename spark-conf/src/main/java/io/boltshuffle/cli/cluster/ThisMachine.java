package io.boltshuffle.cli.cluster;

import io.boltshuffle.os.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/**
 * This machine as the only host of a network, by the address that it has among others.
 *
 * @param environment of its processes, besides what every process has
 */
public record ThisMachine(String address, Map<String, String> environment) implements HostNetwork {
    @Override
    public List<String> hosts() {
        return List.of(address);
    }

    @Override
    public String driver() {
        return address;
    }

    @Override
    public ProcessBuilder on(String host, ProcessBuilder process) {
        process.environment().putAll(environment);
        return process;
    }

    @Override
    public int freePort() {
        try {
            return FreePort.of(address);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
