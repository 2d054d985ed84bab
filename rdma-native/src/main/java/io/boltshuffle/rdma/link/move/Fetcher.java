package io.boltshuffle.rdma.link.move;

import io.boltshuffle.rdma.link.LinkFailure.Reason;
import io.boltshuffle.rdma.link.MessageCut;
import io.boltshuffle.rdma.link.RegisteredRange;
import io.boltshuffle.rdma.link.TransferFailure;
import io.boltshuffle.rdma.link.move.WorkTable.Side;
import io.boltshuffle.rdma.link.move.WorkTable.Slot;
import io.boltshuffle.rdma.memory.Lease;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The reading side of a link: posts what brings bytes here, within the window, and judges what arrived.
 *
 * <p>Transfers take turns, a share of the window each, so that a large one does not hold up a small one. What arrived
 * makes room for the next at once, before it is checked, so that the cable has something to do meanwhile; but with a
 * whole window unchecked nothing more is posted, so slow checking slows the peer down instead of piling up.
 *
 * <p><b>Threads:</b> confined to the thread that has the link's turn.
 */
public final class Fetcher {

    /** The way in which messages are brought here: see {@link ReceivePoster} and {@link ReadPoster}. */
    interface Poster {

        boolean isFull();

        /** Adds the work request that brings one message. */
        void add(Slot<Fetch> slot);

        /** Posts what was added. */
        void flush() throws LinkDownException;
    }

    /** Computes the checksum of an arrived message and reports it to {@link #checked}, now or later, on the poller. */
    @FunctionalInterface
    interface Checks {
        void check(Slot<Fetch> slot) throws LinkDownException;
    }

    /** A transfer's turn is this part of the window. */
    private static final int TURNS_PER_WINDOW = 8;

    /**
     * The window is refilled when no more than this part of it is left: few and large posts and GOs, and no gap between
     * them.
     */
    private static final int LEFT_OF_WINDOW = 4;

    private final FrameBudget budget;
    private final Poster poster;
    private final Checks checks;
    private final LinkRecorder recorder;
    private final WorkTable<Fetch> work = new WorkTable<>(Side.FETCHING);
    private final ArrayDeque<Fetch> turns = new ArrayDeque<>();
    private final PriorityQueue<Fetch> live =
            new PriorityQueue<>((a, b) -> Long.signum(a.deadlineNanos() - b.deadlineNanos()));
    private final Set<Fetch> holding = new LinkedHashSet<>();
    private final ArrayDeque<Slot<Fetch>> toCheck = new ArrayDeque<>();
    private int uncheckedFrames;

    Fetcher(FrameBudget budget, Poster poster, Checks checks, LinkRecorder recorder) {
        this.budget = budget;
        this.poster = poster;
        this.checks = checks;
        this.recorder = recorder;
    }

    public FrameBudget budget() {
        return budget;
    }

    /** Takes a transfer, whose destination is held for it already. {@link #pump} posts it. */
    public void start(Fetch fetch) {
        holding.add(fetch);
        live.add(fetch);
        turns.add(fetch);
    }

    /** Posts what the window has room for. */
    void pump() throws LinkDownException {
        if (turns.isEmpty() || budget.posted() > refillAtFrames() || uncheckedFrames >= budget.limit()) {
            return;
        }
        boolean room = true;
        while (room && !turns.isEmpty()) {
            Fetch fetch = turns.remove();
            room = takeTurn(fetch);
            if (fetch.hasUnposted()) {
                turns.add(fetch);
            }
        }
        poster.flush();
    }

    /**
     * Returns how few frames may be left when the next ones are posted: a message at least, or the cable would have
     * nothing to do.
     */
    private int refillAtFrames() {
        return Math.max(
                budget.limit() / LEFT_OF_WINDOW,
                MessageCut.frames(turns.element().nextLength()));
    }

    /** Posts a share of the window for one transfer. False if the window has no room for its next message. */
    private boolean takeTurn(Fetch fetch) throws LinkDownException {
        int share = Math.max(1, budget.limit() / TURNS_PER_WINDOW);
        for (int posted = 0; posted < share && fetch.hasUnposted(); ) {
            int length = fetch.nextLength();
            int frames = MessageCut.frames(length);
            if (!budget.fits(frames)) {
                return false;
            }
            if (poster.isFull()) {
                poster.flush();
            }
            budget.take(frames);
            poster.add(work.take(fetch, fetch.post(), length));
            posted += frames;
        }
        return true;
    }

    /** A message of this side's work arrived, in whole as far as the device says. */
    void completed(long workRequestId, int byteLength) throws LinkDownException {
        Slot<Fetch> slot = work.find(workRequestId);
        Fetch fetch = slot.holder();
        fetch.completed();
        if (byteLength != slot.length()) {
            throw new LinkDownException(
                    Reason.LENGTH_MISMATCH,
                    "message " + slot.message() + " of " + fetch + " arrived with " + byteLength + " bytes instead of "
                            + slot.length());
        }
        budget.give(slot.frames());
        if (fetch.isEnded()) {
            work.give(slot);
            letGo(fetch);
        } else {
            work.retire(slot);
            fetch.checkStarted();
            uncheckedFrames += slot.frames();
            toCheck.add(slot);
        }
    }

    /** True if something arrived whose check has not begun. */
    boolean hasUnchecked() {
        return !toCheck.isEmpty();
    }

    /** Has what arrived checked. What ended meanwhile is not read: its owner may have given its memory up. */
    void checkArrived() throws LinkDownException {
        for (Slot<Fetch> slot = toCheck.poll(); slot != null; slot = toCheck.poll()) {
            if (slot.holder().isEnded()) {
                arrived(slot);
            } else {
                checks.check(slot);
            }
        }
    }

    /** The checksum of an arrived message is known. */
    void checked(Slot<Fetch> slot, int checksum) throws LinkDownException {
        Fetch fetch = slot.holder();
        int message = slot.message();
        int expected = fetch.offer().checksum(message);
        if (checksum == expected || fetch.isEnded()) {
            arrived(slot);
            return;
        }
        free(slot);
        throw new LinkDownException(
                Reason.CHECKSUM_MISMATCH,
                "message " + message + " of " + fetch + " arrived damaged: CRC32C " + Integer.toHexString(checksum)
                        + " instead of " + Integer.toHexString(expected));
    }

    /** A message is here, and right. */
    void arrived(Slot<Fetch> slot) {
        Fetch fetch = slot.holder();
        int length = slot.length();
        free(slot);
        if (!fetch.isEnded()) {
            recorder.messageVerified(length);
            if (fetch.verified()) {
                end(fetch, null);
            }
        }
        letGo(fetch);
    }

    /** The check of a message is over, whatever it found. */
    private void free(Slot<Fetch> slot) {
        slot.holder().checkEnded();
        uncheckedFrames -= slot.frames();
        work.give(slot);
    }

    private void letGo(Fetch fetch) {
        fetch.releaseIfQuiet();
        if (!fetch.isHolding()) {
            holding.remove(fetch);
        }
    }

    /** Ends a transfer early. What is posted for it stays posted, and its destination held. */
    public void end(Fetch fetch, @Nullable TransferFailure failure) {
        if (fetch.isEnded()) {
            return;
        }
        live.remove(fetch);
        recorder.transferEnded(failure == null);
        fetch.end(failure);
        letGo(fetch);
    }

    void expire(long nowNanos) {
        Fetch next = live.peek();
        while (next != null && next.deadlineNanos() - nowNanos <= 0) {
            end(
                    next,
                    new TransferFailure(
                            TransferFailure.Reason.DEADLINE, "the deadline of a " + next + " passed", null));
            next = live.peek();
        }
    }

    /** The earliest deadline, or null if nothing is under way. */
    @Nullable Long nextDeadlineNanos() {
        Fetch next = live.peek();
        return next == null ? null : next.deadlineNanos();
    }

    /** The peer withdrew an offer: what was fetched of it ends. */
    void withdrawn(long token) {
        for (Fetch fetch : List.copyOf(holding)) {
            if (isOf(fetch, token)) {
                end(
                        fetch,
                        new TransferFailure(
                                TransferFailure.Reason.OFFER_WITHDRAWN,
                                "the peer withdrew the " + fetch.offer(),
                                null));
            }
        }
    }

    /** True while the device may still read or write for a transfer of this offer. */
    boolean isAtDevice(long token) {
        return holding.stream().anyMatch(fetch -> isOf(fetch, token) && fetch.isAtDevice());
    }

    private static boolean isOf(Fetch fetch, long token) {
        return fetch.offer().key().token() == token;
    }

    /** True if no transfer is under way and none holds memory. */
    public boolean isIdle() {
        return holding.isEmpty();
    }

    /** True while work is posted or being checked. */
    boolean isBusy() {
        return budget.posted() > 0 || uncheckedFrames > 0;
    }

    /** Returns what is posted or being checked. */
    long bytesUnderWay() {
        return ((long) budget.posted() + uncheckedFrames) * Lease.FRAME_BYTES;
    }

    /** True while messages are on their way. */
    boolean isAwaiting() {
        return budget.posted() > 0;
    }

    /** Returns how many of the bytes under way should arrive before the next look at them. */
    long refillableBytes() {
        // With nothing more to post, a transfer may end with any message. Else a little late is better than a little
        // early.
        int left = turns.isEmpty() ? budget.posted() / 2 : refillAtFrames() / 2;
        return (long) Math.max(0, budget.posted() - left) * Lease.FRAME_BYTES;
    }

    /** The link is down: every transfer ends. Destinations stay held. */
    public void endAll(TransferFailure failure) {
        turns.clear();
        for (Fetch fetch : new ArrayList<>(live)) {
            end(fetch, failure);
        }
        for (Slot<Fetch> slot = toCheck.poll(); slot != null; slot = toCheck.poll()) {
            Fetch fetch = slot.holder();
            free(slot);
            letGo(fetch);
        }
    }

    /** The queue pair is gone: only checks under way still touch destinations. */
    void forgetDevice() {
        for (Fetch fetch : List.copyOf(holding)) {
            fetch.forgetDevice();
            letGo(fetch);
        }
    }

    /**
     * Quarantines every range that is still held, because none of them can be shown to be safe.
     *
     * @return the ranges that only the queue pair may still touch; not those under a check, whose end is not reported
     */
    List<RegisteredRange> quarantineAll(String reason) {
        List<RegisteredRange> doubtful = new ArrayList<>();
        for (Fetch fetch : holding) {
            RegisteredRange range = fetch.quarantine(reason);
            recorder.rangeQuarantined();
            if (!fetch.isBeingChecked()) {
                doubtful.add(range);
            }
        }
        holding.clear();
        return doubtful;
    }
}
