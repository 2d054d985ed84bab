package io.boltshuffle.rdma.link.engine;

import io.boltshuffle.rdma.link.Link;
import io.boltshuffle.rdma.link.LinkCounters;
import io.boltshuffle.rdma.link.LinkFailure;
import io.boltshuffle.rdma.link.LinkFailure.Reason;
import io.boltshuffle.rdma.link.LinkListener;
import io.boltshuffle.rdma.link.LinkMode;
import io.boltshuffle.rdma.link.LinkOptions;
import io.boltshuffle.rdma.link.LinkParts;
import io.boltshuffle.rdma.link.LinkReport;
import io.boltshuffle.rdma.link.LinkState;
import io.boltshuffle.rdma.link.MessageChecksums;
import io.boltshuffle.rdma.link.MessageCut;
import io.boltshuffle.rdma.link.Offer;
import io.boltshuffle.rdma.link.OfferListener;
import io.boltshuffle.rdma.link.RangePart;
import io.boltshuffle.rdma.link.Transfer;
import io.boltshuffle.rdma.link.TransferFailure;
import io.boltshuffle.rdma.link.TransferListener;
import io.boltshuffle.rdma.link.move.Fetch;
import io.boltshuffle.rdma.link.move.LinkCommand;
import io.boltshuffle.rdma.link.move.LinkDownException;
import io.boltshuffle.rdma.link.move.LinkRecorder;
import io.boltshuffle.rdma.link.move.Pacing;
import io.boltshuffle.rdma.link.move.ServedRange;
import io.boltshuffle.rdma.link.protocol.LinkCodec;
import io.boltshuffle.rdma.link.protocol.LinkMessage;
import io.boltshuffle.rdma.link.protocol.LinkMessage.Go;
import io.boltshuffle.rdma.link.setup.LinkHandshake;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Link} over one queue pair: carries what any thread asks for to the {@link LinkMachine}, which a {@link
 * LinkPoller} runs. What is asked for most often, the thread that asks does itself, if the machine is free and nothing
 * was asked for before: to wake the poller takes longer.
 *
 * <p><b>Threads:</b> the machine and all that it owns belong to the thread that has the turn. Only the poller waits for
 * the turn; others take it if it is free. A thread that has it already, because it is called back, leaves what it asks
 * for to the poller.
 *
 * <p><b>Ownership:</b> ends itself; {@link LinkListener#onEnded} says when. After that the owner may close the device.
 */
public final class QueuePairLink implements Link {

    /** No honest peer has so much unread here. */
    private static final int MAX_UNREAD = 1 << 16;

    /** The facts that offers need about a link that is or was up. */
    private record Terms(long session, LinkMode mode, int offerMessageBytes) {}

    private final LinkOptions options;
    private final LinkRecorder recorder = new LinkRecorder();
    private final AtomicLong tokens = new AtomicLong();
    private final AtomicInteger transfers = new AtomicInteger();
    private final AtomicInteger offers = new AtomicInteger();
    private final Inside inside = new Inside();
    private final Runnable wake;
    private final Mailbox<LinkCommand> mailbox;
    private final ReentrantLock turn = new ReentrantLock();
    private final LinkMachine machine;
    private final Pacing pacing = new Pacing();
    private final LongSupplier clock;
    private volatile LinkState state = LinkState.IDLE;
    private volatile @Nullable Terms terms;

    /**
     * Starts with the first round of a poller.
     *
     * @param wake wakes the poller; called from any thread
     * @param clock in nanoseconds, the one of the poller's rounds
     */
    QueuePairLink(LinkParts parts, Runnable wake, LongSupplier clock) {
        this.options = parts.options();
        this.wake = wake;
        this.clock = clock;
        this.mailbox = new Mailbox<>(wake);
        LinkHandshake handshake = LinkHandshake.draw(parts.random(), options);
        this.machine = new LinkMachine(parts, handshake, inside, recorder);
        // Before anything the peer may say: it can be up first.
        mailbox.post(machine::start);
    }

    /** Builds a link and starts it. Its listener hears the rest. */
    public static Link start(LinkParts parts, LinkPoller poller) {
        QueuePairLink link = new QueuePairLink(parts, poller::wake, System::nanoTime);
        poller.run(link);
        return link;
    }

    @Override
    public LinkState state() {
        return state;
    }

    @Override
    public void onMessage(ByteBuffer message) {
        try {
            LinkMessage decoded = LinkCodec.decode(message);
            if (decoded instanceof Go go && isDoneHere(() -> machine.serve(go.grants()))) {
                return;
            }
            if (mailbox.size() > MAX_UNREAD) {
                throw new IllegalArgumentException("more than " + MAX_UNREAD + " are unread");
            }
            mailbox.post(() -> machine.message(decoded));
        } catch (IllegalArgumentException e) {
            failLater(LinkFailure.of(
                    Reason.PROTOCOL_VIOLATION, "a message of the peer was refused: " + e.getMessage(), e));
        }
    }

    @Override
    public void onChannelLost(String reason) {
        failLater(LinkFailure.of(Reason.CHANNEL_LOST, reason));
    }

    @Override
    public void onPortLost(String reason) {
        failLater(LinkFailure.of(Reason.PORT_NOT_ACTIVE, reason));
    }

    /** A change that a thread makes to the machine between two rounds of the poller. */
    @FunctionalInterface
    private interface Errand {
        /** Returns whether the poller has to look at the link next, and must not sleep. */
        boolean run() throws LinkDownException;
    }

    /** Does what is asked for here and now. False if the poller has to. */
    private boolean isDoneHere(Errand errand) {
        // The thread that has the turn looks at the mailbox after it. If it is this one, it is in the middle of
        // something.
        if (turn.isHeldByCurrentThread() || !turn.tryLock()) {
            return false;
        }
        boolean pollerIsNeeded = false;
        try {
            // What was said or asked before comes first.
            if (state != LinkState.UP || mailbox.size() > 0) {
                return false;
            }
            long nowNanos = clock.getAsLong();
            machine.setNow(nowNanos);
            pollerIsNeeded = errand.run();
            if (pollerIsNeeded) {
                pacing.worked(nowNanos);
            }
        } catch (LinkDownException e) {
            failLater(e.failure());
        } catch (RuntimeException e) {
            failLater(defect(e));
        } finally {
            turn.unlock();
        }
        if (pollerIsNeeded) {
            wake.run();
        }
        return true;
    }

    private void failLater(LinkFailure failure) {
        mailbox.post(() -> machine.fail(failure));
    }

    @Override
    public int offerMessageBytes() {
        return terms().offerMessageBytes();
    }

    @Override
    public boolean isSummed() {
        return options.summed();
    }

    private Terms terms() {
        Terms known = terms;
        if (known == null) {
            throw new IllegalStateException("the link has not been up");
        }
        return known;
    }

    @Override
    public Offer offer(RangePart source, int @Nullable [] checksums, OfferListener listener) {
        Terms known = terms();
        ServedRange served = new ServedRange(
                tokens.incrementAndGet(), new MessageCut(source.bytes(), known.offerMessageBytes()), source, () -> {
                    offers.decrementAndGet();
                    listener.onLetGo();
                });
        Offer offer = served.offer(known.session(), known.mode(), sums(source, checksums, known));
        if (offers.incrementAndGet() > options.maxTransfers()) {
            offers.decrementAndGet();
            throw new IllegalStateException("the link has " + options.maxTransfers() + " offers already");
        }
        source.range().retain();
        boolean isMade = isDoneHere(() -> {
            machine.offer(served);
            return false;
        });
        if (!isMade && !mailbox.post(() -> machine.offer(served))) {
            served.release();
        }
        return offer;
    }

    private int[] sums(RangePart source, int @Nullable [] known, Terms terms) {
        if (!options.summed()) {
            return Offer.UNSUMMED;
        }
        return known == null ? MessageChecksums.of(source, terms.offerMessageBytes()) : known.clone();
    }

    @Override
    public void withdraw(Offer offer) {
        long token = offer.key().token();
        if (!isDoneHere(() -> machine.withdrawNow(token))) {
            mailbox.post(() -> machine.withdraw(token));
        }
    }

    @Override
    public Transfer fetch(Offer.Part part, RangePart destination, long deadlineNanos, TransferListener listener) {
        if (destination.bytes() != part.bytes()) {
            throw new IllegalArgumentException(
                    "a destination of " + destination.bytes() + " bytes for " + part.bytes() + " bytes of an offer");
        }
        Fetch fetch = new Fetch(part, destination, deadlineNanos, listener, inside);
        destination.range().retain();
        if (transfers.incrementAndGet() > options.maxTransfers()) {
            String message = "the link has " + options.maxTransfers() + " transfers already";
            fetch.end(new TransferFailure(TransferFailure.Reason.REFUSED_BUSY, message, null));
        } else if (!isDoneHere(() -> machine.fetchNow(fetch)) && !mailbox.post(() -> machine.fetch(fetch))) {
            fetch.end(new TransferFailure(TransferFailure.Reason.LINK_NOT_UP, "the link has ended", null));
        }
        return fetch;
    }

    @Override
    public LinkCounters counters() {
        return recorder.snapshot();
    }

    @Override
    public void close(long deadlineNanos) {
        mailbox.post(() -> machine.close(deadlineNanos));
    }

    // ---- on the poller

    /** Does one round of the poller. Returns how long it may sleep, 0 for not at all. */
    long round(long nowNanos) {
        turn.lock();
        try {
            if (poll(nowNanos) > 0 || mailbox.size() > 0) {
                pacing.worked(nowNanos);
                return 0;
            }
            return pacing.pauseNanos(
                    nowNanos, machine.bytesUnderWay(), machine.expectedNanos(), machine.nextDeadlineNanos());
        } finally {
            turn.unlock();
        }
    }

    /** Does what there is to do. Returns how much that was: 0 means that waiting a little is all right. */
    int poll(long nowNanos) {
        turn.lock();
        try {
            return pollInTurn(nowNanos);
        } finally {
            turn.unlock();
        }
    }

    private int pollInTurn(long nowNanos) {
        machine.setNow(nowNanos);
        int work = 0;
        try {
            for (LinkCommand command = mailbox.take(); command != null; command = mailbox.take()) {
                work++;
                command.run();
            }
            work += machine.poll();
        } catch (LinkDownException e) {
            work++;
            machine.fail(e.failure());
        } catch (RuntimeException e) {
            work++;
            machine.fail(defect(e));
        }
        if (state.isFinal()) {
            endMailbox();
        }
        return work;
    }

    /** Takes the link down because of a defect in this object; nothing else is touched. */
    void failByDefect(Throwable defect) {
        turn.lock();
        try {
            machine.fail(defect(defect));
        } finally {
            turn.unlock();
        }
    }

    private static LinkFailure defect(Throwable defect) {
        return LinkFailure.of(Reason.INTERNAL, "a defect: " + defect, defect);
    }

    /** Closes the mailbox and runs the commands that came too late: the machine refuses them like any other. */
    private void endMailbox() {
        mailbox.close();
        for (LinkCommand command = mailbox.take(); command != null; command = mailbox.take()) {
            try {
                command.run();
            } catch (LinkDownException e) {
                machine.fail(e.failure());
            }
        }
    }

    /**
     * Returns when to poll the link if nothing comes in between, or null if it waits for nothing. Only the simulation
     * asks: it moves its clock there, and nothing else shows that a link waits without a deadline.
     */
    @Nullable Long nextDeadlineNanos() {
        return machine.nextDeadlineNanos();
    }

    @Override
    public String toString() {
        return machine + " (" + state + ")";
    }

    /** The side of this object that the machine and transfers use, kept off its public face. */
    private final class Inside implements LinkMachine.Host, Fetch.Owner {

        @Override
        public void later(LinkCommand command) {
            mailbox.post(command);
        }

        @Override
        public long newToken() {
            return tokens.incrementAndGet();
        }

        @Override
        public void stateIs(LinkState now) {
            state = now;
        }

        @Override
        public void isUp(long session, LinkReport report) {
            terms = new Terms(session, report.mode(), report.offerMessageBytes());
        }

        @Override
        public void cancel(Fetch fetch) {
            mailbox.post(() -> machine.cancel(fetch));
        }

        @Override
        public void ended() {
            transfers.decrementAndGet();
        }
    }
}
