package io.boltshuffle.agent.fetch;

import io.boltshuffle.agent.cable.LinkSet;

import io.boltshuffle.rdma.memory.LeaseOwner;
import io.boltshuffle.trace.FetchStep;
import io.boltshuffle.trace.FetchTrace;
import io.boltshuffle.wire.ControlMessage;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.PullRequest;
import io.boltshuffle.wire.WireException;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Runs the fetches from one peer over one control connection.
 *
 * <p><b>Threads:</b> confined to the agent's loop.
 */
public final class PullClient {

    private final FetchServices services;
    private final LinkSet links;
    private final Consumer<ControlMessage> out;
    private final Set<FetchRun> runs = new LinkedHashSet<>();
    private final SilentSources silent = new SilentSources();
    private final Map<Long, PullRun> pulls = new HashMap<>();
    private long nextPullId;

    public PullClient(FetchServices services, LinkSet links, Consumer<ControlMessage> out) {
        this.services = services;
        this.links = links;
        this.out = out;
    }

    public void start(FetchOrder order, FetchReceiver receiver) {
        if (!receiver.isWanted()) {
            return;
        }
        Optional<String> refusal = silent.refusal(order, services.loop().nanoTime());
        if (refusal.isPresent()) {
            receiver.onFailed(FailureReason.DEADLINE, refusal.get());
        } else {
            FetchRun run = new FetchRun(this, order, receiver);
            runs.add(run);
            receiver.onStarted(run::cancel);
            run.begin();
        }
    }

    /** Answers to pulls that were given up meanwhile are passed over. */
    public void onReady(ControlMessage.Ready ready) throws WireException {
        PullRun pull = pulls.get(ready.pullId());
        if (pull != null) {
            heard(pull);
            pull.onReady(ready);
        }
    }

    public void onNotReady(ControlMessage.NotReady notReady) {
        PullRun pull = pulls.get(notReady.pullId());
        if (pull != null) {
            heard(pull);
            pull.onNotReady(notReady.reason(), notReady.detail());
        }
    }

    private void heard(PullRun pull) {
        pull.run().heard();
        silent.heard(pull.run().order());
    }

    /** Fails everything under way. */
    public void close(FailureReason reason, String detail) {
        List.copyOf(runs).forEach(run -> run.fail(reason, detail));
        if (!runs.isEmpty() || !pulls.isEmpty()) {
            throw new IllegalStateException(
                    runs.size() + " fetches and " + pulls.size() + " pulls outlive their failure");
        }
    }

    public int fetchCount() {
        return runs.size();
    }

    FetchServices services() {
        return services;
    }

    LinkSet links() {
        return links;
    }

    /** Sends a pull and remembers it until it is {@link #free freed}. */
    PullRun ask(FetchRun run, int firstBlock, PullRequest request) {
        PullRun pull = new PullRun(this, run, nextPullId++, firstBlock, request);
        pulls.put(pull.id(), pull);
        FetchTrace.step(FetchStep.PULL_SENT);
        out.accept(new ControlMessage.Pull(pull.id(), request));
        return pull;
    }

    void free(PullRun pull) {
        if (pulls.remove(pull.id(), pull)) {
            out.accept(new ControlMessage.Free(pull.id()));
        }
    }

    /** Returns whether the run's task, as far as is known here, has nothing to read until blocks of this run come. */
    boolean isWaitedFor(FetchRun run) {
        LeaseOwner owner = run.order().owner();
        return !services.pinned().has(owner)
                && runs.stream()
                        .allMatch(
                                other -> other == run || !other.order().owner().equals(owner));
    }

    /** @param isLate whether its time is over, not that it was called off or its link failed */
    void ended(FetchRun run, boolean isLate) {
        runs.remove(run);
        if (!run.isHeard() && isLate) {
            silent.silent(run.order(), services.loop().nanoTime());
        } else if (!run.isHeard()) {
            silent.calledOff(run.order());
        }
    }
}
