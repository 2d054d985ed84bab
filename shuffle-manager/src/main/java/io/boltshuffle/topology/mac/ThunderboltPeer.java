package io.boltshuffle.topology.mac;

/** The Mac at the other end of a cable, as it presents itself over Thunderbolt. */
public record ThunderboltPeer(String name, String domainUuid, RdmaService rdma) {

    /** A Mac offers the service "rdma" over Thunderbolt only while its own RDMA flag is on. */
    public enum RdmaService {
        OFFERED,
        NOT_OFFERED,
        UNKNOWN
    }
}
