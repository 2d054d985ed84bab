package io.boltshuffle.bench;

import java.util.Locale;

/** Whose client fetches. */
public enum FetchRoute {
    /** Spark's own. */
    NETTY,
    /** The plugin's. */
    BOLTSHUFFLE;

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
