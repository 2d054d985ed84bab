package io.boltshuffle.rdma.link.setup;

import io.boltshuffle.rdma.link.LinkFailure.Reason;
import io.boltshuffle.rdma.link.LinkMode;
import io.boltshuffle.rdma.link.LinkOptions;
import io.boltshuffle.rdma.link.move.LinkDownException;
import io.boltshuffle.rdma.link.protocol.LinkCodec;
import io.boltshuffle.rdma.link.protocol.LinkMessage.Hello;
import io.boltshuffle.rdma.memory.Lease;
import java.util.random.RandomGenerator;

/**
 * The facts that this side states in HELLO; it checks whether those of the peer fit.
 *
 * @param session drawn anew for each link
 * @param packetSequenceNumber 24 bits
 * @param summed whether messages are checked by their checksums
 */
public record LinkHandshake(long session, int packetSequenceNumber, LinkMode mode, boolean summed) {

    private static final int PSN_MASK = 0xffffff;

    public static LinkHandshake draw(RandomGenerator random, LinkOptions options) {
        return new LinkHandshake(random.nextLong(), random.nextInt() & PSN_MASK, options.mode(), options.summed());
    }

    Hello hello(LocalEnd own, int maxMessageBytes) {
        return new Hello(
                LinkCodec.VERSION,
                session,
                mode,
                summed,
                own.port().lid(),
                own.queuePair().number(),
                packetSequenceNumber,
                own.gids().toAddresses(),
                own.port().activeMtu(),
                own.endpoint().granted(),
                Lease.FRAME_BYTES,
                maxMessageBytes);
    }

    /** The addresses both ends use. */
    GidChoice.Agreed accept(Hello peer, LocalEnd own) throws LinkDownException {
        if (peer.version() != LinkCodec.VERSION) {
            throw incompatible("the peer speaks version " + peer.version() + " of the link protocol, this is version "
                    + LinkCodec.VERSION + ": run the same release on both hosts");
        }
        if (peer.mode() != mode) {
            throw incompatible("the peer moves bytes in mode " + peer.mode() + ", this side in " + mode);
        }
        if (peer.summed() != summed) {
            throw incompatible("spark.boltshuffle.agent.checksum is " + value(peer.summed()) + " at the peer and "
                    + value(summed) + " here: set one value on both hosts");
        }
        if (peer.frameBytes() != Lease.FRAME_BYTES) {
            throw incompatible("the peer counts in frames of " + peer.frameBytes() + " bytes");
        }
        if (peer.session() == session) {
            throw incompatible("the link is connected to itself");
        }
        if (peer.granted().send() < 1 || peer.granted().receive() < 1) {
            throw incompatible("the peer has queues of no depth: " + peer.granted());
        }
        GidChoice.Agreed agreed = own.gids().agree(peer.addresses());
        if (agreed == null) {
            throw new LinkDownException(
                    Reason.NO_COMMON_GID,
                    "this port has " + own.gids().toAddresses() + ", the peer's has " + peer.addresses()
                            + ": give both interfaces an address of the same family");
        }
        return agreed;
    }

    /**
     * Names the value of {@code summed}. In send mode both values mean checksums, so the two ends differ in read mode
     * only.
     */
    private static String value(boolean summed) {
        return summed ? "always" : "auto";
    }

    private static LinkDownException incompatible(String message) {
        return new LinkDownException(Reason.PEER_INCOMPATIBLE, message);
    }

    /** True if this end measures first. Both ends decide alike. */
    boolean measuresBefore(Hello peer) {
        return Long.compareUnsigned(session, peer.session()) > 0;
    }
}
