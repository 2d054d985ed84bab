package io.boltshuffle.agent.fetch;

import io.boltshuffle.agent.cable.ActiveLink;
import io.boltshuffle.agent.cable.LinkSet;
import io.boltshuffle.trace.FetchStep;
import io.boltshuffle.trace.FetchTrace;
import io.boltshuffle.wire.ControlMessage;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.PullRequest;
import io.boltshuffle.wire.WireException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The peer that pulls ask: the links that bring its bytes, and what is said about each pull on the control connection.
 *
 * <p><b>Invariant:</b> the peer is told {@code FREE} once for each pull that it was asked for. Its answers to pulls
 * that were freed meanwhile are passed over.
 *
 * <p><b>Threads:</b> confined to the agent's loop.
 */
final class AskedPeer {

    /** Hears what the peer says of one pull. */
    interface Listener {
        /** @throws WireException if the answer makes no sense: the peer cannot be trusted */
        void onReady(ControlMessage.Ready ready) throws WireException;

        void onNotReady(FailureReason reason, String detail);
    }

    private final LinkSet links;
    private final Consumer<ControlMessage> out;
    private final SilentSources silent = new SilentSources();
    private final Map<Long, Listener> pulls = new HashMap<>();
    private long nextPullId;

    AskedPeer(LinkSet links, Consumer<ControlMessage> out) {
        this.links = links;
        this.out = out;
    }

    /** Returns the executors on the peer's host of which nothing is heard. */
    SilentSources silent() {
        return silent;
    }

    /** Returns a link that is up. */
    Optional<ActiveLink> link(int id) {
        return links.byId(id);
    }

    /** Sends a pull, and remembers it until it is {@link #free freed}. Returns its id. */
    long ask(PullRequest request, Listener listener) {
        long id = nextPullId++;
        pulls.put(id, listener);
        FetchTrace.step(FetchStep.PULL_SENT);
        out.accept(new ControlMessage.Pull(id, request));
        return id;
    }

    /** Tells the peer that nothing more of a pull is needed. A second call has no effect. */
    void free(long pullId) {
        if (pulls.remove(pullId) != null) {
            out.accept(new ControlMessage.Free(pullId));
        }
    }

    void onReady(ControlMessage.Ready ready) throws WireException {
        Listener pull = pulls.get(ready.pullId());
        if (pull != null) {
            pull.onReady(ready);
        }
    }

    void onNotReady(ControlMessage.NotReady notReady) {
        Listener pull = pulls.get(notReady.pullId());
        if (pull != null) {
            pull.onNotReady(notReady.reason(), notReady.detail());
        }
    }

    int pullCount() {
        return pulls.size();
    }
}
