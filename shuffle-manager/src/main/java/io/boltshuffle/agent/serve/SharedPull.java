package io.boltshuffle.agent.serve;

import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.PullRequest;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A pull of a block in an owner's memory, from a copy that other pulls may share.
 *
 * <p><b>Invariant:</b> it holds the copy until it ended and no reader thread works on it. What became of a copy that
 * was asked for before this pull came is not held against this one: it goes on with a copy of its own.
 *
 * <p><b>Threads:</b> confined to the agent's loop, except what is said to run on a reader.
 */
final class SharedPull extends ServedPull implements LaidCopy.Holder {

    /** Failures that the first asker may have met only because it asked earlier, or with less time left. */
    private static final Set<FailureReason> OF_THE_FIRST =
            EnumSet.of(FailureReason.DEADLINE, FailureReason.NO_MEMORY, FailureReason.READ_ERROR);

    private final Consumer<PullRequest> alone;
    private @Nullable LaidCopy copy;
    private boolean asked;

    /** @param alone takes the pull's place, in the time that it has left, with a copy of its own */
    SharedPull(
            ServedPeer peer, Consumer<ServedPull> onOver, long id, PullRequest request, Consumer<PullRequest> alone) {
        super(peer, onOver, id, request, "not laid out");
        this.alone = alone;
    }

    @Override
    void start() {
        LaidCopy.Question question = new LaidCopy.Question(
                request().application(),
                request().executor(),
                request().blocks().get(0),
                Math.min(request().windowBytes(), services().largestLiveBlock()),
                request().timeoutMillis());
        LaidCopy found = services().copies().copyFor(question, deadlineNanos());
        asked = found.isNew();
        copy = found;
        found.hold(this);
    }

    @Override
    public void onLaid() {
        LaidCopy from = Objects.requireNonNull(copy);
        withStripes(stripes -> {
            List<StripePlan.Part> parts = stripes.cut(from.bytes());
            atReader(() -> offer(from, parts));
        });
    }

    /** Offers the copy. Runs on a reader, because a link that sums reads what it offers. */
    private Runnable offer(LaidCopy from, List<StripePlan.Part> parts) {
        try {
            for (StripePlan.Part part : parts) {
                offers().add(Offered.of(part, from.rangeFor(part.link())));
            }
            return () -> answerWhole(from.bytes());
        } catch (IOException e) {
            return this::goOnAlone;
        } catch (IllegalStateException e) {
            String trouble = "the link went down: " + e.getMessage();
            return from.isUsable() ? () -> fail(FailureReason.LINK_FAILED, trouble) : this::goOnAlone;
        }
    }

    @Override
    public void onNotLaid(FailureReason reason, String detail) {
        copy = null;
        if (!asked && OF_THE_FIRST.contains(reason) && !isOver()) {
            goOnAlone();
        } else {
            fail(reason, detail);
        }
    }

    /** Another copy may do better. */
    private void goOnAlone() {
        long leftMillis = TimeUnit.NANOSECONDS.toMillis(
                deadlineNanos() - services().loop().nanoTime());
        if (leftMillis < 1) {
            failLate();
        } else {
            leave();
            alone.accept(request().within(leftMillis));
        }
    }

    @Override
    boolean callOff() {
        return true;
    }

    @Override
    void giveBack(boolean isFreed) {
        if (copy != null) {
            copy.letGo(this);
            copy = null;
        }
    }
}
