package io.boltshuffle.rdma.link;

import io.boltshuffle.rdma.link.LinkFailure.Reason;
import io.boltshuffle.rdma.link.LinkMessage.Hello;
import java.util.random.RandomGenerator;

/**
 * What this side says of itself in HELLO, and whether what the peer said fits.
 *
 * @param session drawn anew for each link
 * @param packetSequenceNumber 24 bits
 */
record Handshake(long session, int packetSequenceNumber, LinkMode mode) {

    private static final int PSN_MASK = 0xffffff;

    static Handshake draw(RandomGenerator random, LinkMode mode) {
        return new Handshake(random.nextLong(), random.nextInt() & PSN_MASK, mode);
    }

    Hello hello(Endpoint endpoint, int maxMessageBytes) {
        return new Hello(
                LinkCodec.VERSION,
                session,
                mode,
                endpoint.port().lid(),
                endpoint.queuePairNumber(),
                packetSequenceNumber,
                endpoint.gids().toAddresses(),
                endpoint.port().activeMtu(),
                endpoint.granted(),
                MessageCut.FRAME_BYTES,
                maxMessageBytes);
    }

    /** The addresses both ends use. */
    GidChoice.Agreed accept(Hello peer, Endpoint endpoint) throws LinkDownException {
        if (peer.version() != LinkCodec.VERSION) {
            throw incompatible("the peer speaks version " + peer.version() + " of the link protocol, this is version "
                    + LinkCodec.VERSION + ": run the same release on both hosts");
        }
        if (peer.mode() != mode) {
            throw incompatible("the peer moves bytes in mode " + peer.mode() + ", this side in " + mode);
        }
        if (peer.frameBytes() != MessageCut.FRAME_BYTES) {
            throw incompatible("the peer counts in frames of " + peer.frameBytes() + " bytes");
        }
        if (peer.session() == session) {
            throw incompatible("the link is connected to itself");
        }
        if (peer.granted().send() < 1 || peer.granted().receive() < 1) {
            throw incompatible("the peer has queues of no depth: " + peer.granted());
        }
        GidChoice.Agreed agreed = endpoint.gids().agree(peer.addresses());
        if (agreed == null) {
            throw new LinkDownException(
                    Reason.NO_COMMON_GID,
                    "this port has " + endpoint.gids().toAddresses() + ", the peer's has " + peer.addresses()
                            + ": give both interfaces an address of the same family");
        }
        return agreed;
    }

    private static LinkDownException incompatible(String message) {
        return new LinkDownException(Reason.PEER_INCOMPATIBLE, message);
    }

    /** Both ends decide alike who measures first. */
    boolean measuresBefore(Hello peer) {
        return Long.compareUnsigned(session, peer.session()) > 0;
    }
}
