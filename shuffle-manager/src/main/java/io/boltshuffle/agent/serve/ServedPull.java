package io.boltshuffle.agent.serve;

import io.boltshuffle.loop.Loop;
import io.boltshuffle.wire.BlockFailure;
import io.boltshuffle.wire.BlockSlice;
import io.boltshuffle.wire.ControlMessage;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.PullRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A pull that is served, from the peer's question until its memory goes back.
 *
 * <p><b>Invariant:</b> it is answered at most once, and ends by the peer's {@code FREE}, by its deadline, by a failure
 * or with the connection. Its memory goes back exactly once, when it is over and neither a reader nor the owner of a
 * block uses the memory any more; links keep their own hold until the device cannot read it.
 *
 * <p><b>Threads:</b> confined to the agent's loop, except what is said to run on a reader. What a pull holds is its
 * reader's alone while one works for it.
 */
abstract class ServedPull {

    private static final Logger LOG = LoggerFactory.getLogger(ServedPull.class);

    /** The peer's clock may be late, and its FREE may be on the way. */
    private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** The states of a pull, and which may follow which. */
    enum State {
        /** It waits for a link or for memory, or the owner of a block looks for it or writes. */
        WAITING,
        /** A reader works for it. */
        AT_READER,
        /** The peer was answered, and may take what is offered. */
        OFFERED,
        /** It is over, but a reader, or the owner of a block, still uses its memory. */
        ENDING,
        /** Its memory went back. */
        ENDED;

        boolean mayBecome(State next) {
            return switch (this) {
                case WAITING -> next == AT_READER || next == OFFERED || next == ENDING;
                case AT_READER -> next == WAITING || next == ENDING;
                case OFFERED -> next == ENDING;
                case ENDING -> next == ENDED;
                case ENDED -> false;
            };
        }

        boolean isOver() {
            return this == ENDING || this == ENDED;
        }
    }

    private final ServedPeer peer;
    private final Consumer<ServedPull> onOver;
    private final long id;
    private final PullRequest request;
    private final String undone;
    private final long deadlineNanos;
    private final Loop.Timer deadline;
    private final List<Offered> offers = new ArrayList<>();
    /** Readers look whether it is over. */
    private volatile State state = State.WAITING;

    private boolean isFreed;

    /**
     * @param onOver told if it ends by itself, as the first
     * @param undone what was not done if it is late
     */
    ServedPull(ServedPeer peer, Consumer<ServedPull> onOver, long id, PullRequest request, String undone) {
        this.peer = peer;
        this.onOver = onOver;
        this.id = id;
        this.request = request;
        this.undone = undone;
        long timeoutNanos = TimeUnit.MILLISECONDS.toNanos(request.timeoutMillis());
        Loop loop = peer.services().loop();
        this.deadlineNanos = loop.nanoTime() + timeoutNanos;
        this.deadline = loop.after(timeoutNanos + GRACE_NANOS, this::onDeadline);
    }

    /** Begins to serve the pull. */
    abstract void start();

    /**
     * Calls off what it waits for. Called once, when it is over.
     *
     * @return false if the owner of a block writes to its memory, until it says otherwise
     */
    abstract boolean callOff();

    /** Gives back what it holds besides its offers. Called once, when it is over and nothing uses that. */
    abstract void giveBack(boolean isFreed);

    final ServedPeer peer() {
        return peer;
    }

    final ServeServices services() {
        return peer.services();
    }

    final long id() {
        return id;
    }

    final PullRequest request() {
        return request;
    }

    final long deadlineNanos() {
        return deadlineNanos;
    }

    /** Returns the offers so far, to which a reader adds each as soon as it is made. */
    final List<Offered> offers() {
        return offers;
    }

    /** Returns whether it is over. Readers may call it. */
    final boolean isOver() {
        return state.isOver();
    }

    /**
     * Runs work on a reader thread.
     *
     * @param work returns how the pull goes on, on the loop, unless it is over by then
     */
    final void atReader(Supplier<Runnable> work) {
        become(State.AT_READER);
        services().served().readers().run(work, this::onRead, this::onHung);
    }

    private void onRead(@Nullable Runnable next, @Nullable RuntimeException failure) {
        if (failure != null && !(failure instanceof CancellationException)) {
            LOG.warn("pull {} of {} cannot be served: a defect on this side", id, peer.name(), failure);
        }
        if (giveBackIfOver()) {
            return;
        }
        become(State.WAITING);
        if (next == null) {
            fail(FailureReason.READ_ERROR, "a defect on the serving side: " + failure);
        } else {
            next.run();
        }
    }

    /** The peer goes by TCP at once. What the reader works with stays its own until it is done, if ever. */
    private void onHung(String detail) {
        if (state == State.AT_READER) {
            fail(FailureReason.STORAGE_HANGS, detail);
        }
    }

    /** Goes on with how the pull is cut, or fails if no link is up. */
    final void withStripes(Consumer<StripePlan> next) {
        peer.nextStripes().ifPresentOrElse(next, () -> fail(FailureReason.LINK_FAILED, "no link is up"));
    }

    final void answer(List<BlockSlice> slices, List<BlockFailure> failures, String detail) {
        become(State.OFFERED);
        peer.answer(new ControlMessage.Ready(
                id,
                slices,
                failures,
                detail,
                offers.stream().map(Offered::stripe).toList()));
    }

    /** Answers a pull of one block in memory. */
    final void answerWhole(long bytes) {
        services().counters().servedFromMemory(bytes);
        answer(List.of(new BlockSlice(0, 0, bytes, bytes)), List.of(), "");
    }

    /** Ends a pull that was not answered yet, and says why. It has no effect on one that is over. */
    final void fail(FailureReason reason, String detail) {
        if (!isOver()) {
            leave();
            peer.refuse(id, reason, detail);
        }
    }

    final void failLate() {
        fail(FailureReason.DEADLINE, undone + " in " + request.timeoutMillis() + " ms");
    }

    /** The peer learns of an answered pull's end when its link asks for withdrawn bytes. */
    private void onDeadline() {
        if (state == State.OFFERED) {
            leave();
        } else {
            failLate();
        }
    }

    /** Ends it without a word to the peer. */
    final void leave() {
        onOver.accept(this);
        end(/* byPeer= */ false);
    }

    /**
     * Ends it, whatever its state. It has no effect on one that is over.
     *
     * @param byPeer whether the peer said that it needs no more of it
     */
    final void end(boolean byPeer) {
        if (isOver()) {
            return;
        }
        boolean isAtReader = state == State.AT_READER;
        become(State.ENDING);
        isFreed = byPeer;
        deadline.cancel();
        if (callOff() && !isAtReader) {
            giveBackIfOver();
        }
    }

    /**
     * Gives the memory back if the pull is over. Called when a reader, or the owner of a block, uses it no more.
     *
     * @return whether it is over
     */
    final boolean giveBackIfOver() {
        if (state == State.ENDING) {
            become(State.ENDED);
            offers.forEach(Offered::withdraw);
            offers.clear();
            giveBack(isFreed);
        }
        return isOver();
    }

    private void become(State next) {
        if (!state.mayBecome(next)) {
            throw new IllegalStateException("a pull that is " + state + " was to become " + next);
        }
        state = next;
    }
}
