package io.boltshuffle.agent.serve;

import io.boltshuffle.loop.Loop;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.PullRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One pull of a block in an owner's memory, on the serving side, from a copy that other pulls may share.
 *
 * <p><b>Invariant:</b> it holds the copy until it ended and no reader thread works on it. What became of a copy that
 * was asked for before this pull came is not held against this one: it goes on with a copy of its own.
 *
 * <p><b>Threads:</b> confined to the agent's loop, except what is said to run on a reader.
 */
final class SharedPull implements OpenPull, LaidCopy.Holder {

    private static final Logger LOG = LoggerFactory.getLogger(SharedPull.class);

    /** Failures that the first asker may have met only because it asked earlier, or with less time left. */
    private static final Set<FailureReason> OF_THE_FIRST =
            EnumSet.of(FailureReason.DEADLINE, FailureReason.NO_MEMORY, FailureReason.READ_ERROR);

    private enum State {
        WAITING,
        /** A reader offers the copy, and computes its checksums. */
        OFFERING,
        OFFERED,
        ENDED
    }

    /**
     * The outcome of a reader's work.
     *
     * @param isOfTheCopy whether another copy may do better
     */
    private record Outcome(@Nullable String trouble, boolean isOfTheCopy) {
        static final Outcome DONE = new Outcome(null, false);
    }

    private final PullServer server;
    private final ServeServices services;
    private final long id;
    private final PullRequest request;
    private final long deadlineNanos;
    private final Loop.Timer deadline;
    private State state = State.WAITING;
    private List<Offered> offers = List.of();
    private @Nullable LaidCopy copy;
    private boolean asked;

    SharedPull(PullServer server, long id, PullRequest request) {
        this.server = server;
        this.services = server.services();
        this.id = id;
        this.request = request;
        long timeoutNanos = TimeUnit.MILLISECONDS.toNanos(request.timeoutMillis());
        this.deadlineNanos = services.loop().nanoTime() + timeoutNanos;
        this.deadline = services.loop().after(timeoutNanos + LivePull.GRACE_NANOS, this::onDeadline);
    }

    @Override
    public long id() {
        return id;
    }

    @Override
    public void start() {
        LaidCopy.Question question = new LaidCopy.Question(
                request.application(),
                request.executor(),
                request.blocks().get(0),
                Math.min(request.windowBytes(), services.largestLiveBlock()),
                request.timeoutMillis());
        LaidCopy found = services.copies().copyFor(question, deadlineNanos);
        asked = found.isNew();
        copy = found;
        found.hold(this);
    }

    @Override
    public void onLaid() {
        StripePlan stripes = server.nextStripes().orElse(null);
        if (stripes == null) {
            server.fail(this, FailureReason.LINK_FAILED, "no link is up");
            return;
        }
        state = State.OFFERING;
        LaidCopy from = Objects.requireNonNull(copy);
        List<StripePlan.Part> parts = stripes.cut(from.bytes());
        List<Offered> made = new ArrayList<>(parts.size());
        services.served()
                .readers()
                .run(
                        () -> offer(from, parts, made),
                        (outcome, failure) -> onOffered(made, outcome, failure),
                        detail -> server.fail(this, FailureReason.STORAGE_HANGS, detail));
    }

    /** Offers the copy. Runs on a reader. */
    private static Outcome offer(LaidCopy from, List<StripePlan.Part> parts, List<Offered> made) {
        try {
            for (StripePlan.Part part : parts) {
                made.add(Offered.of(part, from.rangeFor(part.link())));
            }
            return Outcome.DONE;
        } catch (IOException e) {
            return new Outcome(String.valueOf(e.getMessage()), /* isOfTheCopy= */ true);
        } catch (IllegalStateException e) {
            return new Outcome("the link went down: " + e.getMessage(), /* isOfTheCopy= */ !from.isUsable());
        }
    }

    private void onOffered(List<Offered> made, @Nullable Outcome outcome, @Nullable RuntimeException failure) {
        offers = made;
        if (failure != null && !(failure instanceof CancellationException)) {
            LOG.warn("pull {} of {} cannot be served: a defect on this side", id, server.peer(), failure);
        }
        if (state == State.ENDED) {
            letGo();
            return;
        }
        state = State.OFFERED;
        if (outcome == null) {
            server.fail(this, FailureReason.READ_ERROR, "a defect on the serving side: " + failure);
        } else if (outcome.isOfTheCopy()) {
            goOnAlone();
        } else if (outcome.trouble() != null) {
            server.fail(this, FailureReason.LINK_FAILED, outcome.trouble());
        } else {
            server.answerWhole(this, Objects.requireNonNull(copy).bytes(), offers);
        }
    }

    @Override
    public void onNotLaid(FailureReason reason, String detail) {
        copy = null;
        if (state == State.ENDED) {
            return;
        }
        if (!asked && OF_THE_FIRST.contains(reason)) {
            goOnAlone();
        } else {
            server.fail(this, reason, detail);
        }
    }

    private void goOnAlone() {
        long leftMillis =
                TimeUnit.NANOSECONDS.toMillis(deadlineNanos - services.loop().nanoTime());
        if (leftMillis < 1) {
            server.fail(this, FailureReason.DEADLINE, late());
        } else {
            server.replace(this, new LivePull(server, id, request.within(leftMillis)));
        }
    }

    private String late() {
        return "not laid out in " + request.timeoutMillis() + " ms";
    }

    private void onDeadline() {
        if (state == State.OFFERED) {
            server.expire(this);
        } else {
            server.fail(this, FailureReason.DEADLINE, late());
        }
    }

    @Override
    public void endFreed() {
        end();
    }

    @Override
    public void end() {
        deadline.cancel();
        boolean atReader = state == State.OFFERING;
        state = State.ENDED;
        if (!atReader) {
            letGo();
        }
    }

    private void letGo() {
        offers.forEach(Offered::withdraw);
        offers = List.of();
        if (copy != null) {
            copy.letGo(this);
            copy = null;
        }
    }
}
