package io.boltshuffle.agent.fetch;

import io.boltshuffle.agent.cable.LinkSet;
import io.boltshuffle.rdma.memory.LeaseOwner;
import io.boltshuffle.wire.ControlMessage;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.WireException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Runs the fetches from one peer over one control connection.
 *
 * <p><b>Threads:</b> confined to the agent's loop.
 */
public final class PullClient {

    private final PullServices services;
    private final AskedPeer peer;
    private final Set<FetchRun> runs = new LinkedHashSet<>();

    public PullClient(PullServices services, LinkSet links, Consumer<ControlMessage> out) {
        this.services = services;
        this.peer = new AskedPeer(links, out);
    }

    public void start(FetchOrder order, FetchReceiver receiver) {
        if (!receiver.isWanted()) {
            return;
        }
        Optional<String> refusal = peer.silent().refusal(order, services.loop().nanoTime());
        if (refusal.isPresent()) {
            receiver.onFailed(FailureReason.DEADLINE, refusal.get());
        } else {
            boolean isWaitedFor = hasNothing(order.owner());
            FetchRun run = new FetchRun(services, peer, order, receiver, runs::remove);
            runs.add(run);
            receiver.onStarted(run::cancel);
            run.start(isWaitedFor);
        }
    }

    /** Returns whether a task, as far as is known here, has nothing to read, and nothing under way. */
    private boolean hasNothing(LeaseOwner task) {
        return !services.pinned().has(task)
                && runs.stream().noneMatch(run -> run.order().owner().equals(task));
    }

    /** @throws WireException if the answer makes no sense: the peer cannot be trusted */
    public void onReady(ControlMessage.Ready ready) throws WireException {
        peer.onReady(ready);
    }

    public void onNotReady(ControlMessage.NotReady notReady) {
        peer.onNotReady(notReady);
    }

    /** Fails everything under way. */
    public void close(FailureReason reason, String detail) {
        List.copyOf(runs).forEach(run -> run.onFailed(reason, detail));
        if (!runs.isEmpty() || peer.pullCount() > 0) {
            throw new IllegalStateException(
                    runs.size() + " fetches and " + peer.pullCount() + " pulls outlive their failure");
        }
    }

    public int fetchCount() {
        return runs.size();
    }
}
