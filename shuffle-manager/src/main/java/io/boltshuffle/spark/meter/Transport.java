package io.boltshuffle.spark.meter;

import java.util.Locale;

/** The ways by which a block can travel. */
public enum Transport {
    NETTY("Netty"),
    RDMA("RDMA");

    private final String spokenName;

    Transport(String spokenName) {
        this.spokenName = spokenName;
    }

    /** Returns the transport as it stands in the names of metrics. */
    String metricName() {
        return name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
        return spokenName;
    }
}
