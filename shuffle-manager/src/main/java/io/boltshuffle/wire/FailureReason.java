package io.boltshuffle.wire;

/** Says why a block, a pull or a whole peer does not go by RDMA. The number travels, and is never reused. */
public enum FailureReason {
    /** The serving agent has no executor of this application, or not this executor. */
    UNKNOWN_EXECUTOR(1),
    /** The executor's files have no such block. */
    UNKNOWN_BLOCK(2),
    /** The block's file could not be read, or is shorter than its index says. */
    READ_ERROR(3),
    /** There was no registered memory within the deadline. */
    NO_MEMORY(4),
    DEADLINE(5),
    /** There is no control connection to the peer's agent. */
    PEER_UNREACHABLE(6),
    /** The peer is there, but no cable joins it with this host. */
    NO_CABLE(7),
    /** The peer refused this side, or failed to prove itself. */
    REFUSED(8),
    LINK_FAILED(9),
    /** The bytes that arrived are not the ones that were sent. */
    CORRUPT(10),
    /** The agent is going down in good order. */
    STOPPING(11),
    /** The agent holds no more requests at once. */
    OVERLOADED(12),
    /** The other side broke the protocol, or speaks another version. */
    PROTOCOL(13),
    /** The block does not fit this way of moving it. */
    TOO_LARGE(14),
    /** The executor's own agent has ended. This reason never travels; the client reports it when the session ends. */
    AGENT_LOST(15),
    /** Reads of the local directory that has the block, or all that the serving agent may begin, do not end. */
    STORAGE_HANGS(16),
    /** The ports that the cable between the two hosts was in are down. */
    CABLE_PULLED(17);

    private static final FailureReason[] BY_CODE = values();

    private final int code;

    FailureReason(int code) {
        this.code = code;
    }

    void writeTo(WireWriter out) {
        out.u8(code);
    }

    static FailureReason read(WireReader in) throws WireException {
        int code = in.u8("reason");
        if (code < 1 || code > BY_CODE.length) {
            throw new WireException("unknown failure reason " + code);
        }
        return BY_CODE[code - 1];
    }
}
