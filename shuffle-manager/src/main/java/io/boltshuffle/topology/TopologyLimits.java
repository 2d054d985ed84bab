package io.boltshuffle.topology;

/** Limits what a topology may hold, far above any cluster that cables can build and far below what could do harm. */
public final class TopologyLimits {

    /**
     * A Mac has at most six Thunderbolt ports, so a larger cluster is not fully cabled, but its hosts may be listed.
     */
    public static final int MAX_HOSTS = 64;

    /** The largest Mac has six ports. */
    public static final int MAX_CABLES_PER_PAIR = 6;

    public static final int MAX_ADDRESSES_PER_HOST = 16;
    public static final int MAX_ENVS = 256;
    public static final int MAX_TEXT_CHARS = 1024;
    public static final int MAX_FILE_CHARS = 1 << 20;

    private TopologyLimits() {}
}
