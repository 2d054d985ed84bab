package io.boltshuffle.wire;

import java.util.List;

/**
 * What one agent tells another of a port of its own, so that both find the same cable.
 *
 * @param device verbs device
 * @param port port number on it
 * @param linkLayer name of its link layer
 * @param domain identity of the Thunderbolt domain (bus) behind the port, empty where there is none
 * @param attachedDomain identity of the domain at the other end of the cable, empty when unknown
 * @param gids non-zero entries of the port's GID table
 */
public record PortFacts(
        String device, int port, String linkLayer, String domain, String attachedDomain, List<Opaque> gids) {

    private static final int GID_BYTES = 16;
    private static final int MAX_PORT_NUMBER = 255;

    void writeTo(WireWriter out) {
        out.text("device", device, WireLimits.MAX_NAME_BYTES);
        out.number("port", port, MAX_PORT_NUMBER);
        out.text("link layer", linkLayer, WireLimits.MAX_NAME_BYTES);
        out.text("domain", domain, WireLimits.MAX_NAME_BYTES);
        out.text("attached domain", attachedDomain, WireLimits.MAX_NAME_BYTES);
        out.list("gids", gids, WireLimits.MAX_GIDS, (to, gid) -> gid.writeFixedTo(to, "gid", GID_BYTES));
    }

    static PortFacts read(WireReader in) throws WireException {
        return new PortFacts(
                in.name("device"),
                in.count("port", MAX_PORT_NUMBER),
                in.name("link layer"),
                in.name("domain"),
                in.name("attached domain"),
                in.list("gids", WireLimits.MAX_GIDS, gid -> Opaque.readFixed(gid, "gid", GID_BYTES)));
    }
}
