package io.boltshuffle.rdma.link.protocol;

import io.boltshuffle.rdma.Gid;
import io.boltshuffle.rdma.GrantedDepth;
import io.boltshuffle.rdma.QueuePairAddress;
import io.boltshuffle.rdma.link.LinkMode;
import io.boltshuffle.rdma.link.MessageCut;
import io.boltshuffle.rdma.link.Offer;
import java.util.List;

/** A message from one end of a link to the other over the channel. {@link LinkCodec} has the layout. */
public sealed interface LinkMessage {

    /**
     * Set-up: my queue pair is in INIT, and this is what you must know of it.
     *
     * @param version protocol version of the sender
     * @param session drawn anew for each link
     * @param summed whether the sender's offers carry checksums, and it wants them of the receiver's
     * @param lid local identifier of the port
     * @param queuePairNumber 24 bits
     * @param packetSequenceNumber 24 bits
     * @param addresses what the sender can be reached at
     * @param pathMtu verbs code
     * @param granted queue depths in frames that the sender may use
     * @param frameBytes bytes per frame
     * @param maxMessageBytes largest message the sender takes
     */
    record Hello(
            int version,
            long session,
            LinkMode mode,
            boolean summed,
            int lid,
            int queuePairNumber,
            int packetSequenceNumber,
            PortAddresses addresses,
            int pathMtu,
            GrantedDepth granted,
            int frameBytes,
            int maxMessageBytes)
            implements LinkMessage {

        public QueuePairAddress at(Gid gid) {
            return new QueuePairAddress(lid, queuePairNumber, packetSequenceNumber, gid);
        }
    }

    /**
     * Set-up: my queue pair is in RTS.
     *
     * @param peerSession the receiver's session, to show that this answers its HELLO
     */
    record Ready(long peerSession) implements LinkMessage {}

    /** Calibration: my test pattern, offered once per message size. */
    record Pattern(List<Offer> offers) implements LinkMessage {}

    /** Calibration: I am done measuring and want messages of this size; your turn if you have not measured. */
    record Calibrated(int messageBytes) implements LinkMessage {}

    /** Send mode: receives for these messages are posted, in this order after all earlier ones. */
    record Go(List<Grant> grants) implements LinkMessage {}

    /**
     * Receives posted for some messages of an offer.
     *
     * @param token the offer
     * @param first index of the first message
     * @param count how many, one after the other
     * @param messageBytes bytes of each but the last
     * @param lastBytes bytes of the last of these
     */
    record Grant(long token, int first, int count, int messageBytes, int lastBytes) {

        public int length(int index) {
            return index == first + count - 1 ? lastBytes : messageBytes;
        }

        public long frames() {
            return (long) (count - 1) * MessageCut.frames(messageBytes) + MessageCut.frames(lastBytes);
        }
    }

    /** Send mode: the offer is withdrawn; filler comes in place of what you granted, once you said {@link Skipped}. */
    record Skip(long token) implements LinkMessage {}

    /** Send mode: nothing of this offer will be looked at any more. */
    record Skipped(long token) implements LinkMessage {}

    /** Orderly end: I fetch nothing any more. */
    record Bye() implements LinkMessage {}

    /** My end is down. */
    record Down(String why) implements LinkMessage {}
}
