package io.boltshuffle.rdma.link.move;

import io.boltshuffle.rdma.link.LinkFailure.Reason;
import io.boltshuffle.rdma.link.protocol.LinkMessage;
import io.boltshuffle.rdma.link.protocol.LinkMessage.Grant;
import io.boltshuffle.rdma.link.protocol.LinkMessage.Skip;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Read mode, serving side: nothing is posted here, the peer's device reads by itself. So an offer may be let go of only
 * when the peer has said that no READ of it is under way.
 */
final class RemoteReads implements Serving {

    private final ServedRanges servedRanges;
    private final Consumer<LinkMessage> peer;
    private final Runnable progress;
    private final Set<Long> awaited = new HashSet<>();
    private boolean peerIsDone;

    /** @param progress told of each answer of the peer: no completion shows here that it lives */
    RemoteReads(ServedRanges servedRanges, Consumer<LinkMessage> peer, Runnable progress) {
        this.servedRanges = servedRanges;
        this.peer = peer;
        this.progress = progress;
    }

    @Override
    public void granted(List<Grant> grants) throws LinkDownException {
        throw new LinkDownException(Reason.PROTOCOL_VIOLATION, "the peer granted receives on a link in read mode");
    }

    @Override
    public void withdraw(ServedRange served) {
        if (peerIsDone) {
            servedRanges.withdraw(served);
        } else if (awaited.add(served.token())) {
            peer.accept(new Skip(served.token()));
        }
    }

    @Override
    public void skipped(long token) {
        ServedRange served = servedRanges.find(token);
        if (awaited.remove(token)) {
            progress.run();
            if (served != null) {
                servedRanges.withdraw(served);
            }
        }
    }

    @Override
    public void peerFetchesNoMore() {
        peerIsDone = true;
        List.copyOf(awaited).forEach(this::skipped);
    }

    @Override
    public void pump() {}

    @Override
    public void completed(long workRequestId) throws LinkDownException {
        throw new LinkDownException(Reason.BAD_COMPLETION, "a send completed on a link in read mode");
    }

    @Override
    public long postedBytes() {
        return 0;
    }

    @Override
    public boolean isHeldUp() {
        return false;
    }

    @Override
    public boolean isBusy() {
        return !awaited.isEmpty();
    }
}
