package io.boltshuffle.rdma.link;

import io.boltshuffle.rdma.LinkLayer;
import io.boltshuffle.rdma.QueuePairType;

/** The way in which bytes move. Both ends of a link must use the same. */
public enum LinkMode {
    /** The reader posts receives, the server sends into them. All that Thunderbolt can do. */
    SEND(0, QueuePairType.UNRELIABLE_CONNECTED),
    /** The reader posts RDMA READs; the server's CPU is not involved. */
    READ(1, QueuePairType.RELIABLE_CONNECTED);

    private final int code;
    private final QueuePairType queuePairType;

    LinkMode(int code, QueuePairType queuePairType) {
        this.code = code;
        this.queuePairType = queuePairType;
    }

    /** Returns its number in messages. */
    public int code() {
        return code;
    }

    /** @throws IllegalArgumentException if no mode has this number */
    public static LinkMode of(int code) {
        return switch (code) {
            case 0 -> SEND;
            case 1 -> READ;
            default -> throw new IllegalArgumentException("no link mode has number " + code);
        };
    }

    /** The kind of queue pair it needs. */
    public QueuePairType queuePairType() {
        return queuePairType;
    }

    /** Returns the mode that suits a port of this kind best. */
    public static LinkMode best(LinkLayer layer) {
        return layer == LinkLayer.THUNDERBOLT ? SEND : READ;
    }
}
