package io.boltshuffle.agent.serve;

import io.boltshuffle.agent.cable.ActiveLink;
import io.boltshuffle.loop.Loop;
import io.boltshuffle.rdma.memory.Lease;
import io.boltshuffle.rdma.memory.LeaseOwner;
import io.boltshuffle.trace.FetchStep;
import io.boltshuffle.trace.FetchTrace;
import io.boltshuffle.wire.ControlMessage;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.PullRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One pull on the serving side: blocks are looked up, memory is leased, files are read into it, links offer it.
 *
 * <p><b>Invariant:</b> the memory is given back exactly once, when the pull ended and no reader thread works on it;
 * links keep their own hold until the device cannot read it any more. What the peer reads itself lies in an area that
 * is open to this peer alone. A pull that ended waits for no memory, and nothing more is read for it but what a reader
 * is in the middle of.
 *
 * <p><b>Threads:</b> confined to the agent's loop, except what is said to run on a reader.
 */
final class ServedPull implements OpenPull {

    private static final Logger LOG = LoggerFactory.getLogger(ServedPull.class);

    /** The peer's clock may be late, and its FREE may be on the way. */
    private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private enum State {
        /** A reader looks blocks up, reads them, or both. */
        AT_READER,
        WAITING_FOR_MEMORY,
        OFFERED,
        ENDED
    }

    /**
     * The resources of one turn at a reader, which remain however it ends. They belong to the reader until it is done,
     * then to the loop.
     */
    private static final class Turn {
        private @Nullable StagingPlan plan;
        private StagingBudget.@Nullable Share share;
        private @Nullable StagingArea area;
        private final List<Offered> offers = new ArrayList<>();
        private @Nullable OfferedBlocks offered;
        /** The reason why not all was offered that was to be. */
        private @Nullable String linkTrouble;
    }

    private final PullServer server;
    private final ServeServices services;
    private final long id;
    private final PullRequest request;
    private final long deadlineNanos;
    private final Loop.Timer deadline;
    private final List<Offered> offers = new ArrayList<>();
    private State state = State.AT_READER;
    private StagingBudget.@Nullable Share share;
    private StagingMemory.@Nullable Wait memoryWait;
    private @Nullable StagingArea area;
    /** Whether the peer said that it needs no more of it. */
    private boolean freed;
    /** Tells a reader. */
    private volatile boolean over;

    ServedPull(PullServer server, long id, PullRequest request) {
        this.server = server;
        this.services = server.services();
        this.id = id;
        this.request = request;
        long timeoutNanos = TimeUnit.MILLISECONDS.toNanos(request.timeoutMillis());
        this.deadlineNanos = services.loop().nanoTime() + timeoutNanos;
        this.deadline = services.loop().after(timeoutNanos + GRACE_NANOS, this::onDeadline);
    }

    @Override
    public long id() {
        return id;
    }

    @Override
    public void start() {
        StripePlan stripes = server.nextStripes().orElse(null);
        atReader(new Turn(), turn -> lookUp(turn, stripes));
    }

    /** Runs work on a reader thread; the turn's resources return to the loop even if the work fails. */
    private void atReader(Turn turn, Consumer<Turn> work) {
        state = State.AT_READER;
        services.served()
                .readers()
                .run(
                        () -> {
                            work.accept(turn);
                            return turn;
                        },
                        (same, failure) -> onTurnOver(turn, failure),
                        this::onHung);
    }

    /** The peer goes by TCP at once. What the reader works with stays its own until it is done, if ever. */
    private void onHung(String detail) {
        if (state == State.AT_READER) {
            server.fail(this, FailureReason.STORAGE_HANGS, detail);
        }
    }

    /**
     * Finds the blocks on a reader, which goes straight on to reading where memory and links are there: a change of
     * threads is slow on a busy host.
     */
    private void lookUp(Turn turn, @Nullable StripePlan stripes) {
        StagingPlan plan = StagingPlan.of(
                request, services.served().source()::locate, server.windowBytes(request), this::checkWanted);
        turn.plan = plan;
        FetchTrace.step(FetchStep.BLOCKS_FOUND);
        if (stripes == null || plan.bytes() == 0) {
            return;
        }
        boolean isRead = stripes.links().stream().anyMatch(ActiveLink::isRead);
        if (isRead ? takeReadable(turn, plan.bytes()) : takeMemory(turn, plan.bytes())) {
            offer(turn, plan, stripes);
        }
    }

    /**
     * Takes a share of the staging budget and memory on a reader, if both are to be had now. If not, the pull may have
     * a share all the same.
     */
    private boolean takeMemory(Turn turn, long bytes) {
        turn.share =
                services.budget().tryTake(bytes, /* isReadable= */ false).orElse(null);
        return turn.share != null && takeArea(turn, bytes);
    }

    /** Does the same where the peer reads. The area is open to the peer, and may be one that was kept. */
    private boolean takeReadable(Turn turn, long planned) {
        turn.area = server.areas().take(planned).orElse(null);
        if (turn.area != null) {
            return true;
        }
        long bytes = areaBytes(planned, /* isRead= */ true);
        turn.share =
                services.budget().tryTake(bytes, /* isReadable= */ true).orElse(null);
        return turn.share != null && takeArea(turn, bytes);
    }

    /** The share goes with the memory. */
    private boolean takeArea(Turn turn, long bytes) {
        Lease lease = services.pool().tryAcquire(owner(), bytes).orElse(null);
        if (lease == null) {
            return false;
        }
        turn.area = new StagingArea(lease, Objects.requireNonNull(turn.share));
        turn.share = null;
        return true;
    }

    private long areaBytes(long bytes, boolean isRead) {
        long wanted = isRead ? StagingAreas.roundUp(bytes) : bytes;
        return Math.max(bytes, Math.min(wanted, services.pool().slab().bytes()));
    }

    /** Fails if the pull is over. Called on a reader, before each file. */
    private void checkWanted() {
        if (over) {
            throw new CancellationException("pull " + id + " of " + server.peer() + " ended");
        }
    }

    private LeaseOwner owner() {
        return new LeaseOwner("staging for " + server.peer());
    }

    /** Offers the staged blocks. Runs on a reader. */
    private void offer(Turn turn, StagingPlan plan, StripePlan stripes) {
        OfferedBlocks blocks = new OfferedBlocks(
                request, services.served(), stripes, Objects.requireNonNull(turn.area), turn.offers, this::checkWanted);
        try {
            blocks.offer(plan);
            turn.offered = blocks;
        } catch (IOException e) {
            turn.linkTrouble = String.valueOf(e.getMessage());
        }
    }

    private void onTurnOver(Turn turn, @Nullable RuntimeException failure) {
        share = turn.share;
        area = turn.area;
        offers.addAll(turn.offers);
        if (failure != null && !(failure instanceof CancellationException)) {
            LOG.warn("pull {} of {} cannot be served: a defect on this side", id, server.peer(), failure);
        }
        if (state == State.ENDED) {
            giveBack();
            return;
        }
        StagingPlan plan = turn.plan;
        if (failure != null || plan == null) {
            state = State.OFFERED;
            server.fail(this, FailureReason.READ_ERROR, "a defect on the serving side: " + failure);
        } else if (turn.linkTrouble != null) {
            state = State.OFFERED;
            server.fail(this, FailureReason.LINK_FAILED, turn.linkTrouble);
        } else if (turn.offered != null) {
            onOffered(turn.offered);
        } else {
            onPlanned(plan);
        }
    }

    /** There was nothing to read, or not all that it takes. */
    private void onPlanned(StagingPlan plan) {
        if (plan.bytes() == 0) {
            state = State.OFFERED;
            server.answer(new ControlMessage.Ready(id, List.of(), plan.failures(), plan.detail(), List.of()));
            return;
        }
        state = State.WAITING_FOR_MEMORY;
        boolean isRead = server.isRead();
        long bytes = areaBytes(plan.bytes(), isRead);
        StagingMemory.Wanted wanted = new StagingMemory.Wanted(owner(), bytes, deadlineNanos);
        StagingMemory.Waiter waiter = new StagingMemory.Waiter() {
            @Override
            public void onMemory(StagingArea granted) {
                stage(plan, granted);
            }

            @Override
            public void onNoMemory(String detail) {
                server.fail(ServedPull.this, FailureReason.NO_MEMORY, detail);
            }
        };
        StagingBudget.Share taken = share;
        share = null;
        memoryWait = taken == null
                ? services.stagingMemory().await(wanted, isRead, waiter)
                : services.stagingMemory().await(wanted, taken, waiter);
    }

    private void stage(StagingPlan plan, StagingArea into) {
        area = into;
        StripePlan stripes = server.nextStripes().orElse(null);
        if (stripes == null) {
            server.fail(this, FailureReason.LINK_FAILED, "no link is up");
            return;
        }
        Turn turn = new Turn();
        turn.plan = plan;
        turn.area = into;
        atReader(turn, same -> offer(same, plan, stripes));
    }

    private void onOffered(OfferedBlocks blocks) {
        state = State.OFFERED;
        server.answer(new ControlMessage.Ready(
                id,
                blocks.slices(),
                blocks.failures(),
                blocks.detail(),
                offers.stream().map(Offered::stripe).toList()));
    }

    private void onDeadline() {
        if (state == State.OFFERED) {
            server.expire(this);
        } else {
            server.fail(this, FailureReason.DEADLINE, "not staged in " + request.timeoutMillis() + " ms");
        }
    }

    @Override
    public void endFreed() {
        freed = true;
        end();
    }

    @Override
    public void end() {
        deadline.cancel();
        over = true;
        if (memoryWait != null) {
            memoryWait.callOff();
        }
        boolean atReader = state == State.AT_READER;
        state = State.ENDED;
        if (!atReader) {
            giveBack();
        }
    }

    private void giveBack() {
        offers.forEach(Offered::withdraw);
        offers.clear();
        if (area != null) {
            server.areas().giveBack(area, freed);
            area = null;
        }
        if (share != null) {
            share.end();
            share = null;
        }
    }
}
