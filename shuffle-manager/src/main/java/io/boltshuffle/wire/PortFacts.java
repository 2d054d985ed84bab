package io.boltshuffle.wire;

import java.util.List;

/**
 * The facts about a port that one agent tells another, so that both find the same cable.
 *
 * @param name device and port number
 * @param linkLayer name of its link layer
 * @param domain identity of the Thunderbolt domain (bus) behind the port, empty if there is none
 * @param attachedDomain identity of the domain at the other end of the cable, empty if unknown
 * @param gids non-zero entries of the port's GID table
 * @param neighbours link-local addresses that were seen at the other end of the cable
 */
public record PortFacts(
        PortName name,
        String linkLayer,
        String domain,
        String attachedDomain,
        List<Opaque> gids,
        List<Opaque> neighbours) {

    private static final int GID_BYTES = 16;

    void writeTo(WireWriter out) {
        name.writeTo(out);
        out.text("link layer", linkLayer, WireLimits.MAX_NAME_BYTES);
        out.text("domain", domain, WireLimits.MAX_NAME_BYTES);
        out.text("attached domain", attachedDomain, WireLimits.MAX_NAME_BYTES);
        out.list("gids", gids, WireLimits.MAX_GIDS, (to, gid) -> gid.writeFixedTo(to, "gid", GID_BYTES));
        out.list(
                "neighbours",
                neighbours,
                WireLimits.MAX_NEIGHBOURS,
                (to, address) -> address.writeFixedTo(to, "neighbour", GID_BYTES));
    }

    static PortFacts read(WireReader in) throws WireException {
        return new PortFacts(
                PortName.read(in),
                in.name("link layer"),
                in.name("domain"),
                in.name("attached domain"),
                in.list("gids", WireLimits.MAX_GIDS, gid -> Opaque.readFixed(gid, "gid", GID_BYTES)),
                in.list(
                        "neighbours",
                        WireLimits.MAX_NEIGHBOURS,
                        from -> Opaque.readFixed(from, "neighbour", GID_BYTES)));
    }
}
