package io.boltshuffle.agent.serve;

import io.boltshuffle.agent.cable.LinkSet;
import io.boltshuffle.trace.FetchStep;
import io.boltshuffle.trace.FetchTrace;
import io.boltshuffle.wire.ControlMessage;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.LiveBlock;
import io.boltshuffle.wire.PullRequest;
import io.boltshuffle.wire.WireException;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Serves the pulls of one peer over one control connection.
 *
 * <p><b>Invariant:</b> every pull is answered once, by {@code READY} or {@code NOT_READY}, and ends by the peer's
 * {@code FREE}, by its deadline or with the connection.
 *
 * <p><b>Threads:</b> confined to the agent's loop; files are read on the readers.
 */
public final class PullServer {

    /** Pulls of one peer at once. More would only wait for the same memory. */
    static final int MAX_PULLS = 1024;

    /** The time for which a pull waits for a link: the peer's end of it is up, so this one has little left to do. */
    private static final long LINK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final ServeServices services;
    private final ServedPeer peer;
    private final Predicate<String> mayPull;
    private final Map<Long, ServedPull> pulls = new HashMap<>();
    /** Those of the pulls that came before this end of a link was up, in their order. */
    private final Set<ServedPull> unstarted = new LinkedHashSet<>();

    /** @param mayPull whether the peer proved that it knows the application's secret */
    public PullServer(
            ServeServices services,
            String peer,
            LinkSet links,
            Consumer<ControlMessage> out,
            Predicate<String> mayPull) {
        this.services = services;
        this.peer = new ServedPeer(services, peer, links, out);
        this.mayPull = mayPull;
    }

    public void onPull(long pullId, PullRequest request) throws WireException {
        if (pulls.containsKey(pullId)) {
            throw new WireException("pull " + pullId + " is under way already");
        }
        if (request.blocks().isEmpty() || request.windowBytes() < 1) {
            throw new WireException("a pull of nothing");
        }
        if (pulls.size() >= MAX_PULLS) {
            peer.refuse(pullId, FailureReason.OVERLOADED, pulls.size() + " pulls of " + peer.name() + " are under way");
        } else if (!mayPull.test(request.application())) {
            // Also where it is not served here: a peer is not told of applications that it did not prove.
            peer.refuse(
                    pullId,
                    FailureReason.REFUSED,
                    peer.name() + " did not prove the secret of " + request.application());
        } else if (!services.served().applications().knows(request.application(), request.executor())) {
            peer.refuse(
                    pullId,
                    FailureReason.UNKNOWN_EXECUTOR,
                    "executor " + request.executor() + " of " + request.application() + " is not registered with "
                            + services.host());
        } else {
            FetchTrace.step(FetchStep.PULL_HEARD);
            ServedPull pull = pullOf(pullId, request);
            pulls.put(pullId, pull);
            if (peer.isLinking()) {
                unstarted.add(pull);
                services.loop().after(LINK_NANOS, () -> startLate(pull));
            } else {
                pull.start();
            }
        }
    }

    private ServedPull pullOf(long id, PullRequest request) throws WireException {
        if (!isLive(request)) {
            return new StagedPull(peer, this::remove, id, request);
        }
        return sharesCopies(request)
                ? new SharedPull(peer, this::remove, id, request, left -> goOnAlone(id, left))
                : new LivePull(peer, this::remove, id, request);
    }

    private void goOnAlone(long id, PullRequest left) {
        ServedPull pull = new LivePull(peer, this::remove, id, left);
        pulls.put(id, pull);
        pull.start();
    }

    private void remove(ServedPull pull) {
        pulls.remove(pull.id(), pull);
        unstarted.remove(pull);
    }

    /**
     * Memory of its own stays registered for a peer that reads, and a copy that is shared has to be registered anew:
     * that is worth it for pieces of broadcasts, which all hosts want.
     */
    private boolean sharesCopies(PullRequest request) {
        return !peer.isRead()
                || LiveBlock.of(request.blocks().get(0))
                        .filter(block -> block.kind() == LiveBlock.Kind.BROADCAST_PIECE)
                        .isPresent();
    }

    /** A link to the peer is up. */
    public void onLinkUp() {
        List.copyOf(unstarted).forEach(this::startLate);
    }

    private void startLate(ServedPull pull) {
        if (unstarted.remove(pull)) {
            pull.start();
        }
    }

    /** Returns whether a pull is for a block in an owner's memory, which is pulled alone and as a whole. */
    private static boolean isLive(PullRequest request) throws WireException {
        boolean live = request.blocks().stream().anyMatch(LiveBlock::isNamedBy);
        if (live && (request.blocks().size() > 1 || request.firstOffset() > 0)) {
            throw new WireException("a pull of a part of a block in memory, or of several");
        }
        return live;
    }

    public void onFree(long pullId) {
        ServedPull pull = pulls.remove(pullId);
        if (pull != null) {
            FetchTrace.step(FetchStep.FREE_HEARD);
            unstarted.remove(pull);
            pull.end(/* byPeer= */ true);
        }
    }

    /** The connection is gone: so are all its pulls. */
    public void close() {
        List<ServedPull> open = List.copyOf(pulls.values());
        pulls.clear();
        unstarted.clear();
        open.forEach(pull -> pull.end(/* byPeer= */ false));
        peer.areas().close();
    }

    public int pullCount() {
        return pulls.size();
    }
}
