package io.boltshuffle.rdma.link.setup;

import io.boltshuffle.rdma.link.LinkFailure.Reason;
import io.boltshuffle.rdma.link.LinkState;
import io.boltshuffle.rdma.link.MessageCut;
import io.boltshuffle.rdma.link.move.LinkDownException;
import io.boltshuffle.rdma.link.protocol.LinkMessage;
import io.boltshuffle.rdma.link.protocol.LinkMessage.Hello;
import org.jspecify.annotations.Nullable;

/** The queue pair is being made, and the two ends say HELLO. Over when this end has both its own and the peer's. */
final class Exchanging implements SetupPhase {

    private final Setup.Context context;
    private @Nullable LocalPattern own;
    private @Nullable Hello peer;

    Exchanging(Setup.Context context) {
        this.context = context;
    }

    @Override
    public SetupPhase prepared(LocalPattern made) throws LinkDownException {
        own = made;
        context.host().send(context.handshake().hello(made.end(), MessageCut.MAX_MESSAGE_BYTES));
        return peer == null ? this : connecting(made, peer);
    }

    @Override
    public @Nullable SetupPhase message(LinkMessage message) throws LinkDownException {
        if (!(message instanceof Hello hello)) {
            return null;
        }
        if (peer != null) {
            throw new LinkDownException(Reason.PROTOCOL_VIOLATION, "the peer said HELLO twice");
        }
        peer = hello;
        return own == null ? this : connecting(own, hello);
    }

    private SetupPhase connecting(LocalPattern made, Hello hello) throws LinkDownException {
        GidChoice.Agreed gids = context.handshake().accept(hello, made.end());
        context.host().become(LinkState.CONNECTING);
        context.lane().connect(made.end(), hello, gids, context.handshake().packetSequenceNumber());
        return new Connecting(context, made, hello, gids);
    }

    @Override
    public boolean awaitsControl() {
        return own == null;
    }
}
