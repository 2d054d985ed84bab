package io.boltshuffle.agent.serve;

import io.boltshuffle.agent.cable.ActiveLink;
import io.boltshuffle.agent.cable.LinkSet;
import io.boltshuffle.conf.Options;
import io.boltshuffle.trace.FetchStep;
import io.boltshuffle.trace.FetchTrace;
import io.boltshuffle.wire.BlockSlice;
import io.boltshuffle.wire.ControlMessage;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.LiveBlock;
import io.boltshuffle.wire.PullRequest;
import io.boltshuffle.wire.WireException;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    private final String peer;
    private final LinkSet links;
    private final Consumer<ControlMessage> out;
    private final Predicate<String> mayPull;
    private final Map<Long, OpenPull> pulls = new HashMap<>();
    /** Those of the pulls that came before this end of a link was up, in their order. */
    private final Set<OpenPull> unstarted = new LinkedHashSet<>();

    private final StagingAreas areas;
    private int nextLink;

    /** @param mayPull whether the peer proved that it knows the application's secret */
    public PullServer(
            ServeServices services,
            String peer,
            LinkSet links,
            Consumer<ControlMessage> out,
            Predicate<String> mayPull) {
        this.services = services;
        this.peer = peer;
        this.links = links;
        this.out = out;
        this.mayPull = mayPull;
        this.areas = new StagingAreas(services.loop(), services.budget());
    }

    public void onPull(long pullId, PullRequest request) throws WireException {
        if (pulls.containsKey(pullId)) {
            throw new WireException("pull " + pullId + " is under way already");
        }
        if (request.blocks().isEmpty() || request.windowBytes() < 1) {
            throw new WireException("a pull of nothing");
        }
        if (pulls.size() >= MAX_PULLS) {
            refuse(pullId, FailureReason.OVERLOADED, pulls.size() + " pulls of " + peer + " are under way");
        } else if (!mayPull.test(request.application())) {
            // Also where it is not served here: a peer is not told of applications that it did not prove.
            refuse(pullId, FailureReason.REFUSED, peer + " did not prove the secret of " + request.application());
        } else if (!services.served().applications().knows(request.application(), request.executor())) {
            refuse(
                    pullId,
                    FailureReason.UNKNOWN_EXECUTOR,
                    "executor " + request.executor() + " of " + request.application() + " is not registered with "
                            + services.host());
        } else {
            FetchTrace.step(FetchStep.PULL_HEARD);
            OpenPull pull = pullOf(pullId, request);
            pulls.put(pullId, pull);
            if (links.up().isEmpty() && links.isAnyOnItsWay()) {
                unstarted.add(pull);
                services.loop().after(LINK_NANOS, () -> startLate(pull));
            } else {
                pull.start();
            }
        }
    }

    private OpenPull pullOf(long pullId, PullRequest request) throws WireException {
        if (!isLive(request)) {
            return new ServedPull(this, pullId, request);
        }
        return sharesCopies(request) ? new SharedPull(this, pullId, request) : new LivePull(this, pullId, request);
    }

    /**
     * Memory of its own stays registered for a peer that reads, and a copy that is shared has to be registered anew:
     * that is worth it for pieces of broadcasts, which all hosts want.
     */
    private boolean sharesCopies(PullRequest request) {
        return !isRead()
                || LiveBlock.of(request.blocks().get(0))
                        .filter(block -> block.kind() == LiveBlock.Kind.BROADCAST_PIECE)
                        .isPresent();
    }

    /** A link to the peer is up. */
    public void onLinkUp() {
        List.copyOf(unstarted).forEach(this::startLate);
    }

    private void startLate(OpenPull pull) {
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
        OpenPull pull = pulls.remove(pullId);
        if (pull != null) {
            FetchTrace.step(FetchStep.FREE_HEARD);
            if (!unstarted.remove(pull)) {
                pull.endFreed();
            }
        }
    }

    /** The connection is gone: so are all its pulls. */
    public void close() {
        List<OpenPull> open = List.copyOf(pulls.values());
        pulls.clear();
        open.stream().filter(pull -> !unstarted.remove(pull)).forEach(OpenPull::end);
        areas.close();
    }

    public int pullCount() {
        return pulls.size();
    }

    ServeServices services() {
        return services;
    }

    String peer() {
        return peer;
    }

    /** Memory that this peer may read, kept between pulls. */
    StagingAreas areas() {
        return areas;
    }

    /** Returns whether the peer reads staged memory itself. On the loop. */
    boolean isRead() {
        return links.up().stream().anyMatch(ActiveLink::isRead);
    }

    long windowBytes(PullRequest request) {
        return Math.min(request.windowBytes(), services.settings().get(Options.FETCH_WINDOW));
    }

    /** Returns how the next pull is cut. */
    Optional<StripePlan> nextStripes() {
        List<ActiveLink> up = links.up();
        return up.isEmpty() ? Optional.empty() : Optional.of(new StripePlan(up, nextLink++));
    }

    void answer(ControlMessage.Ready ready) {
        services.counters()
                .served(ready.slices().stream().mapToLong(BlockSlice::bytes).sum());
        FetchTrace.step(FetchStep.READY_SENT);
        out.accept(ready);
    }

    /** Answers a pull of one block in memory. */
    void answerWhole(OpenPull pull, long bytes, List<Offered> offers) {
        services.counters().servedFromMemory(bytes);
        answer(new ControlMessage.Ready(
                pull.id(),
                List.of(new BlockSlice(0, 0, bytes, bytes)),
                List.of(),
                "",
                offers.stream().map(Offered::stripe).toList()));
    }

    /** Goes on with a pull that was not answered yet in another way. */
    void replace(OpenPull pull, OpenPull next) {
        if (pulls.replace(pull.id(), pull, next)) {
            pull.end();
            next.start();
        }
    }

    /** Ends a pull that was not answered yet. */
    void fail(OpenPull pull, FailureReason reason, String detail) {
        if (pulls.remove(pull.id(), pull)) {
            pull.end();
            refuse(pull.id(), reason, detail);
        }
    }

    /** Ends a pull that was answered; the peer learns of it when its link asks for withdrawn bytes. */
    void expire(OpenPull pull) {
        if (pulls.remove(pull.id(), pull)) {
            pull.end();
        }
    }

    private void refuse(long pullId, FailureReason reason, String detail) {
        out.accept(new ControlMessage.NotReady(pullId, reason, detail));
    }
}
