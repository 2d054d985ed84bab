package io.boltshuffle.proof.bench.inspark;

import java.util.Locale;

/** The client that fetches. */
public enum FetchRoute {
    /** Spark's own client. */
    NETTY,
    /** The plugin's client. */
    BOLTSHUFFLE;

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
