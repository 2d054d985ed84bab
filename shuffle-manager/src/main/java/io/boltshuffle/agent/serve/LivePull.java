package io.boltshuffle.agent.serve;

import io.boltshuffle.agent.live.BlockAsker;
import io.boltshuffle.loop.Loop;
import io.boltshuffle.rdma.memory.LeaseOwner;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.PullRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One pull of a block in an owner's memory, on the serving side, with a copy of its own: the owner is asked, memory is
 * leased for the size that it tells, the owner lays the block there, links offer it. Peers that read get a partition or
 * a result so, in memory that stays registered for them; other pulls {@link SharedPull share} copies.
 *
 * <p><b>Invariant:</b> the memory is given back exactly once, when the pull ended, the owner writes no more, and no
 * reader thread works on it; links keep their own hold until the device cannot read it any more. A pull that
 * ends before memory was lent to the owner cancels its question, so that the owner unlocks the block.
 *
 * <p><b>Threads:</b> confined to the agent's loop, except what is said to run on a reader.
 */
final class LivePull implements OpenPull, BlockAsker, StagingMemory.Waiter {

    private static final Logger LOG = LoggerFactory.getLogger(LivePull.class);

    /** The peer's clock may be late, and its FREE may be on the way. */
    static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private enum State {
        /** The owner looks for the block. */
        ASKED,
        WAITING_FOR_MEMORY,
        /** A reader lets the peer at the memory, which clears it. */
        OPENING,
        /** The owner writes. */
        WRITING,
        /** A reader computes the checksums of what is offered. */
        OFFERING,
        OFFERED,
        ENDED
    }

    /** The outcome of a reader's work. */
    private record Outcome(@Nullable String trouble) {
        static final Outcome DONE = new Outcome(null);
    }

    private final PullServer server;
    private final ServeServices services;
    private final long id;
    private final PullRequest request;
    private final long deadlineNanos;
    private final Loop.Timer deadline;
    private State state = State.ASKED;
    private long askId;
    private long bytes;
    private List<StripePlan.Part> parts = List.of();
    private List<Offered> offers = List.of();
    private StagingMemory.@Nullable Wait memoryWait;
    private @Nullable StagingArea area;
    private boolean freed;
    /** Whether a reader, or the owner, uses the memory of a pull that ended. */
    private boolean inUse;

    LivePull(PullServer server, long id, PullRequest request) {
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
        askId = services.served()
                .live()
                .ask(
                        request.application(),
                        request.executor(),
                        request.blocks().get(0),
                        Math.min(request.windowBytes(), services.largestLiveBlock()),
                        request.timeoutMillis(),
                        this);
    }

    @Override
    public void onSize(long size) {
        bytes = size;
        state = State.WAITING_FOR_MEMORY;
        boolean isRead = server.isRead();
        area = isRead ? server.areas().take(size).orElse(null) : null;
        if (area != null) {
            onArea(area);
        } else {
            long wanted = isRead ? StagingAreas.roundUp(size) : size;
            LeaseOwner owner = new LeaseOwner("block for " + server.peer());
            memoryWait = services.stagingMemory()
                    .await(new StagingMemory.Wanted(owner, wanted, deadlineNanos), isRead, this);
        }
    }

    @Override
    public void onMemory(StagingArea granted) {
        area = granted;
        onArea(granted);
    }

    @Override
    public void onNoMemory(String detail) {
        server.fail(this, FailureReason.NO_MEMORY, detail);
    }

    private void onArea(StagingArea into) {
        StripePlan stripes = server.nextStripes().orElse(null);
        if (stripes == null) {
            server.fail(this, FailureReason.LINK_FAILED, "no link is up");
            return;
        }
        parts = stripes.cut(bytes);
        if (parts.stream().anyMatch(part -> part.link().isRead())) {
            state = State.OPENING;
            services.served()
                    .readers()
                    .run(() -> openTo(into), (outcome, failure) -> onOpened(into, outcome, failure), this::onHung);
        } else {
            lend(into);
        }
    }

    /** Opens the memory to the peer. Runs on a reader. */
    private Outcome openTo(StagingArea into) {
        try {
            for (StripePlan.Part part : parts) {
                into.openTo(part.link());
            }
            return Outcome.DONE;
        } catch (IOException e) {
            return new Outcome("the peer cannot be let at memory: " + e.getMessage());
        }
    }

    private void onOpened(StagingArea into, @Nullable Outcome outcome, @Nullable RuntimeException failure) {
        if (!isTroubled(outcome, failure)) {
            lend(into);
        }
    }

    private void lend(StagingArea into) {
        state = State.WRITING;
        services.served().live().lend(askId, into.lease().offset(), bytes);
    }

    @Override
    public void onLaid() {
        if (state == State.ENDED) {
            inUse = false;
            giveBack();
            return;
        }
        state = State.OFFERING;
        StagingArea from = Objects.requireNonNull(area);
        List<Offered> made = new ArrayList<>(parts.size());
        services.served()
                .readers()
                .run(() -> offer(from, made), (outcome, failure) -> onOffered(made, outcome, failure), this::onHung);
    }

    /** There is no reader for it. */
    private void onHung(String detail) {
        server.fail(this, FailureReason.STORAGE_HANGS, detail);
    }

    /**
     * Offers the memory. Runs on a reader: a link that sums reads what it offers.
     *
     * @param made gets to see each offer as soon as it is made, also if the next one fails
     */
    private Outcome offer(StagingArea from, List<Offered> made) {
        try {
            for (StripePlan.Part part : parts) {
                made.add(Offered.of(part, from.rangeFor(part.link())));
            }
            return Outcome.DONE;
        } catch (IllegalStateException e) {
            return new Outcome("the link went down: " + e.getMessage());
        }
    }

    private void onOffered(List<Offered> made, @Nullable Outcome outcome, @Nullable RuntimeException failure) {
        offers = made;
        if (!isTroubled(outcome, failure)) {
            state = State.OFFERED;
            server.answerWhole(this, bytes, offers);
        }
    }

    @Override
    public void onNotLaid(FailureReason reason, String detail) {
        if (state == State.ENDED) {
            inUse = false;
            giveBack();
        } else {
            server.fail(this, reason, detail);
        }
    }

    /** Ends a pull that cannot go on after what a reader did; true if it is over, or was before. */
    private boolean isTroubled(@Nullable Outcome outcome, @Nullable RuntimeException failure) {
        if (failure != null && !(failure instanceof CancellationException)) {
            LOG.warn("pull {} of {} cannot be served: a defect on this side", id, server.peer(), failure);
        }
        if (state == State.ENDED) {
            inUse = false;
            giveBack();
            return true;
        }
        String trouble = outcome == null ? "a defect on the serving side: " + failure : outcome.trouble();
        if (trouble != null) {
            state = state == State.OPENING ? State.WAITING_FOR_MEMORY : State.OFFERED; // the reader is done with it
            server.fail(this, outcome == null ? FailureReason.READ_ERROR : FailureReason.LINK_FAILED, trouble);
            return true;
        }
        return false;
    }

    private void onDeadline() {
        if (state == State.OFFERED) {
            server.expire(this);
        } else {
            server.fail(this, FailureReason.DEADLINE, "not laid out in " + request.timeoutMillis() + " ms");
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
        if (memoryWait != null) {
            memoryWait.callOff();
        }
        boolean atReader = state == State.OPENING || state == State.OFFERING;
        state = State.ENDED;
        boolean written = !services.served().live().callOff(askId);
        inUse = atReader || written;
        giveBack();
    }

    private void giveBack() {
        if (inUse) {
            return;
        }
        offers.forEach(Offered::withdraw);
        offers = List.of();
        if (area != null) {
            server.areas().giveBack(area, freed);
            area = null;
        }
    }
}
