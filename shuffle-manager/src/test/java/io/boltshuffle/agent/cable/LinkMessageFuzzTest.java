package io.boltshuffle.agent.cable;

import io.boltshuffle.rdma.Gid;
import io.boltshuffle.rdma.GrantedDepth;
import io.boltshuffle.rdma.link.LinkMode;
import io.boltshuffle.rdma.link.MessageCut;
import io.boltshuffle.rdma.link.Offer;
import io.boltshuffle.rdma.link.protocol.LinkCodec;
import io.boltshuffle.rdma.link.protocol.LinkMessage;
import io.boltshuffle.rdma.link.protocol.PortAddresses;
import io.boltshuffle.testing.FuzzContract;
import io.boltshuffle.testing.FuzzTarget;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/** Damages what the two ends of a link say to each other. What is read can be told of in a log, too. */
class LinkMessageFuzzTest extends FuzzContract {

    private static final int MESSAGE_BYTES = 65_536;

    private static final List<LinkMessage> MESSAGES = List.of(
            new LinkMessage.Hello(
                    LinkCodec.VERSION,
                    7,
                    LinkMode.SEND,
                    true,
                    1,
                    0x21,
                    0x1234,
                    new PortAddresses(gid(0xff, 10, 81, 0, 1), gid(0xfe, 0x57, 0xff, 0x1d, 3)),
                    5,
                    new GrantedDepth(1023, 1023),
                    16_384,
                    MESSAGE_BYTES),
            new LinkMessage.Ready(7),
            new LinkMessage.Pattern(List.of(new Offer(
                    new Offer.Key(7, 1), new MessageCut(100_000, MESSAGE_BYTES), Offer.Remote.NONE, new int[] {1, 2}))),
            new LinkMessage.Calibrated(MESSAGE_BYTES),
            new LinkMessage.Go(List.of(
                    new LinkMessage.Grant(1, 0, 2, MESSAGE_BYTES, 34_464),
                    new LinkMessage.Grant(2, 4, 1, MESSAGE_BYTES, 10))),
            new LinkMessage.Skip(1),
            new LinkMessage.Skipped(1),
            new LinkMessage.Bye(),
            new LinkMessage.Down("the cable was pulled"));

    @Override
    protected Stream<FuzzTarget> targets() {
        return Stream.of(new FuzzTarget(
                "between-links",
                input -> Objects.requireNonNull(
                        LinkCodec.decode(ByteBuffer.wrap(input)).toString()),
                MESSAGES.stream()
                        .map(message -> LinkCodec.encode(message).array())
                        .toList(),
                Set.of(IllegalArgumentException.class)));
    }

    private static Gid gid(int first, int... last) {
        byte[] bytes = new byte[Gid.BYTES];
        bytes[0] = (byte) first;
        for (int i = 0; i < last.length; i++) {
            bytes[Gid.BYTES - last.length + i] = (byte) last[i];
        }
        return Gid.of(bytes);
    }
}
