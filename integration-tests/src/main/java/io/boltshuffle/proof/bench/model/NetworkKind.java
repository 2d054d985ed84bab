package io.boltshuffle.proof.bench.model;

import io.boltshuffle.cli.savings.model.Link;

/** A way between two hosts, with the speed that public sources give it. */
public enum NetworkKind {
    TEN_GBE("10 GbE, TCP", false, 1.17, "9.4 Gbit/s of payload; one port for all peers", true),
    THUNDERBOLT_TCP_25(
            "Thunderbolt, TCP 25",
            true,
            Link.BRIDGE_GIGABYTES_PER_SECOND,
            "25 Gbit/s, the lower figure seen; weak source",
            true),
    THUNDERBOLT_TCP_40("Thunderbolt, TCP 40", true, 5.0, "40 Gbit/s, the higher figure seen; weak source", true),
    THUNDERBOLT_RDMA(
            "Thunderbolt 5, RDMA",
            true,
            Link.CABLE_GIGABYTES_PER_SECOND,
            "checked stream with a copy at the receiver, the lower of 6.4 to 6.9",
            false);

    private final String label;
    private final boolean cablePerPeer;
    private final double gigabytesPerSecond;
    private final String source;
    private final boolean netty;

    NetworkKind(String label, boolean cablePerPeer, double gigabytesPerSecond, String source, boolean netty) {
        this.label = label;
        this.cablePerPeer = cablePerPeer;
        this.gigabytesPerSecond = gigabytesPerSecond;
        this.source = source;
        this.netty = netty;
    }

    public String label() {
        return label;
    }

    /** Returns the source of the speed. */
    public String source() {
        return source;
    }

    /** Returns whether Netty carries the blocks, or boltshuffle in send mode. */
    boolean netty() {
        return netty;
    }

    public double gigabytesPerSecond() {
        return gigabytesPerSecond;
    }

    /** Returns how much a host can receive from {@code peers} peers at once, in GB/s. */
    double receiveSpeed(int peers) {
        return cablePerPeer ? peers * gigabytesPerSecond : gigabytesPerSecond;
    }
}
