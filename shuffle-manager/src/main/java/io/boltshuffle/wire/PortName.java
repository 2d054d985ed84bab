package io.boltshuffle.wire;

/**
 * A port of a host.
 *
 * @param device verbs device
 * @param port port number on it, from 1
 */
public record PortName(String device, int port) {

    private static final int MAX_PORT = 255;

    void writeTo(WireWriter out) {
        out.text("device", device, WireLimits.MAX_NAME_BYTES);
        out.number("port", port, MAX_PORT);
    }

    static PortName read(WireReader in) throws WireException {
        return new PortName(in.name("device"), in.count("port", MAX_PORT));
    }

    @Override
    public String toString() {
        return device + ":" + port;
    }
}
