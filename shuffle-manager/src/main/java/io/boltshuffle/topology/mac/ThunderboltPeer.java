package io.boltshuffle.topology.mac;

/**
 * The Mac at the other end of a cable, as it presents itself over Thunderbolt.
 *
 * @param behind the name of the dock or hub that the cable leads to and the Mac is plugged into; empty if the cable
 *     leads to the Mac itself
 */
public record ThunderboltPeer(String name, String domainUuid, RdmaService rdma, String behind) {

    /** A Mac offers the service "rdma" over Thunderbolt only while its own RDMA flag is on. */
    public enum RdmaService {
        OFFERED,
        NOT_OFFERED,
        UNKNOWN
    }
}
