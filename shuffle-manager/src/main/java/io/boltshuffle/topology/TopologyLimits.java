package io.boltshuffle.topology;

/** Limits on what a topology may hold. Far above any cluster that cables can build, far below what could hurt. */
public final class TopologyLimits {

    /** A Mac has at most six Thunderbolt ports, so larger clusters are sparse, but they may be listed. */
    public static final int MAX_HOSTS = 64;

    /** Six ports on the largest Mac. */
    public static final int MAX_CABLES_PER_PAIR = 6;

    public static final int MAX_ADDRESSES_PER_HOST = 16;
    public static final int MAX_ENVS = 256;
    public static final int MAX_TEXT_CHARS = 1024;
    public static final int MAX_FILE_CHARS = 1 << 20;

    private TopologyLimits() {}
}
