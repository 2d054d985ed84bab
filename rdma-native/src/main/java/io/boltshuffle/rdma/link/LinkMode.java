package io.boltshuffle.rdma.link;

import io.boltshuffle.rdma.LinkLayer;
import io.boltshuffle.rdma.QueuePairType;

/** How bytes move. Both ends of a link must use the same. */
public enum LinkMode {
    /** The reader posts receives, the server sends into them. All that Thunderbolt can do. */
    SEND(QueuePairType.UNRELIABLE_CONNECTED),
    /** The reader posts RDMA READs; the server's CPU is not involved. */
    READ(QueuePairType.RELIABLE_CONNECTED);

    private final QueuePairType queuePairType;

    LinkMode(QueuePairType queuePairType) {
        this.queuePairType = queuePairType;
    }

    QueuePairType queuePairType() {
        return queuePairType;
    }

    /** What a port of this kind does best. */
    public static LinkMode best(LinkLayer layer) {
        return layer == LinkLayer.THUNDERBOLT ? SEND : READ;
    }
}
