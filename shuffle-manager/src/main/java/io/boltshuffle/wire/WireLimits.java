package io.boltshuffle.wire;

/**
 * Limits what a peer may make this side hold. Every length and count is checked against one of these limits before
 * memory is allocated.
 */
public final class WireLimits {

    /** Version of the session between an executor and its agent. */
    public static final int SESSION_VERSION = 5;

    /** Version of the control connection between two agents. */
    public static final int CONTROL_VERSION = 5;

    static final String SESSION_REMEDY = "stop the agent, and the next executor starts the right one";
    static final String CONTROL_REMEDY = "install the same release on both hosts";

    /** Largest message, without its length prefix. */
    public static final int MAX_FRAME_BYTES = 1 << 20;

    /** Host names, application and executor ids, device names. */
    public static final int MAX_NAME_BYTES = 255;

    public static final int MAX_PATH_BYTES = 4096;

    /** Explanations for people. Longer ones are cut by the sender. */
    public static final int MAX_DETAIL_BYTES = 1024;

    /** Hosts that an executor may announce at once. */
    public static final int MAX_HOSTS = 1024;

    public static final int MAX_LOCAL_DIRS = 256;
    public static final int MAX_SUB_DIRS = 1 << 16;
    public static final int MAX_SECRET_BYTES = 4096;
    public static final int MAX_STATUS_BYTES = 1 << 19;

    /** Blocks of one fetch or pull; a larger request is split by its sender. */
    public static final int MAX_BLOCKS = 1 << 14;

    /** The largest block in an executor's memory that an agent asks for: what one buffer shows of a slab. */
    public static final long MAX_LIVE_BYTES = 1L << 30;

    public static final long MAX_BLOCK_BYTES = 1L << 46;
    public static final long MAX_SLAB_BYTES = 1L << 46;
    public static final long MAX_TIMEOUT_MILLIS = 24L * 60 * 60 * 1000;
    public static final long MAX_PAUSE_SECONDS = 30L * 24 * 60 * 60;

    public static final int NONCE_BYTES = 32;
    public static final int MAC_BYTES = 32;

    /** Applications that one message may prove, or answer for. */
    public static final int MAX_PROOFS = 256;

    /** Ports that one host may announce, and what is said of each. */
    public static final int MAX_PORTS = 64;

    public static final int MAX_GIDS = 32;
    public static final int MAX_NEIGHBOURS = 32;

    /** Parts in which one pull may be moved: for each link, and for each block that is sent from where it lies. */
    public static final int MAX_STRIPES = 1024;

    /** The unit in which registered memory is counted: each stripe begins a frame, at both ends. */
    public static final int FRAME_BYTES = 4096;

    /** The most bytes that a link says to its other end at once, opaque to the control connection. */
    public static final int MAX_LINK_BYTES = 1 << 18;

    private WireLimits() {}

    /** Returns how many bytes the frames have that hold so many. */
    public static long wholeFrames(long bytes) {
        return (bytes + FRAME_BYTES - 1) / FRAME_BYTES * FRAME_BYTES;
    }
}
