package io.boltshuffle.rdma;

/** The link layer of a port. Apple's Thunderbolt reports code 100. */
public enum LinkLayer {
    INFINIBAND,
    ETHERNET,
    THUNDERBOLT,
    UNSPECIFIED
}
