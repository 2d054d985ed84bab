package io.boltshuffle.rdma.link.setup;

import io.boltshuffle.rdma.link.LinkFailure.Reason;
import io.boltshuffle.rdma.link.LinkState;
import io.boltshuffle.rdma.link.move.DataPath;
import io.boltshuffle.rdma.link.move.LinkDownException;
import io.boltshuffle.rdma.link.protocol.LinkMessage;
import io.boltshuffle.rdma.link.protocol.LinkMessage.Hello;
import io.boltshuffle.rdma.link.protocol.LinkMessage.Ready;
import io.boltshuffle.rdma.memory.Lease;
import org.jspecify.annotations.Nullable;

/** The queue pair goes to RTS on both sides. Over when this end has got there and the peer has said READY. */
final class Connecting implements SetupPhase {

    private final Setup.Context context;
    private final LocalPattern own;
    private final Hello peer;
    private final GidChoice.Agreed gids;
    private boolean connected;
    private boolean peerReady;

    Connecting(Setup.Context context, LocalPattern own, Hello peer, GidChoice.Agreed gids) {
        this.context = context;
        this.own = own;
        this.peer = peer;
        this.gids = gids;
    }

    @Override
    public SetupPhase connected() throws LinkDownException {
        connected = true;
        context.host().send(new Ready(peer.session()));
        return nextIfBothAreReady();
    }

    @Override
    public @Nullable SetupPhase message(LinkMessage message) throws LinkDownException {
        if (!(message instanceof Ready ready)) {
            return null;
        }
        if (ready.peerSession() != context.handshake().session() || peerReady) {
            throw new LinkDownException(Reason.PROTOCOL_VIOLATION, "the peer's READY answers another HELLO");
        }
        peerReady = true;
        return nextIfBothAreReady();
    }

    private SetupPhase nextIfBothAreReady() throws LinkDownException {
        if (!connected || !peerReady) {
            return this;
        }
        context.host().become(LinkState.CALIBRATING);
        DataPath dataPath = context.host()
                .carry(own.end().endpoint(), peer.granted().receive(), context.pattern(Lease.FRAME_BYTES));
        return Calibrating.begin(context, own, peer, gids, dataPath);
    }

    @Override
    public boolean awaitsControl() {
        return !connected;
    }
}
