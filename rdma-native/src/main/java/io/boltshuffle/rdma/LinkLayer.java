package io.boltshuffle.rdma;

/** What a port runs on. Apple's Thunderbolt reports code 100. */
public enum LinkLayer {
    INFINIBAND,
    ETHERNET,
    THUNDERBOLT,
    UNSPECIFIED
}
