package io.boltshuffle.rdma.link.move;

import io.boltshuffle.rdma.link.Offer;
import io.boltshuffle.rdma.link.RangePart;
import io.boltshuffle.rdma.link.RegisteredRange;
import io.boltshuffle.rdma.link.Transfer;
import io.boltshuffle.rdma.link.TransferFailure;
import io.boltshuffle.rdma.link.TransferListener;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A transfer on the reading side.
 *
 * <p><b>Invariant:</b> the listener is told once; the hold on the destination is given back once, when no work request
 * can write into it and no check reads it any more.
 *
 * <p><b>Threads:</b> confined to the thread that has the link's turn, but for {@link #cancel}.
 */
public final class Fetch implements Transfer {

    private static final Logger LOG = LoggerFactory.getLogger(Fetch.class);

    private final Offer.Part part;
    private final RangePart destination;
    private final long deadlineNanos;
    private final TransferListener listener;
    private final Owner owner;

    private int nextMessage;
    private int unverified;
    private int atDevice;
    private int checking;
    private boolean ended;
    private boolean holding = true;

    /** The owner of the transfer. */
    public interface Owner {

        /** Carries {@link Fetch#cancel} to the poller. */
        void cancel(Fetch fetch);

        /** The listener is about to be told. */
        void ended();
    }

    public Fetch(Offer.Part part, RangePart destination, long deadlineNanos, TransferListener listener, Owner owner) {
        this.part = part;
        this.destination = destination;
        this.deadlineNanos = deadlineNanos;
        this.listener = listener;
        this.owner = owner;
        this.nextMessage = part.firstMessage();
        this.unverified = part.endMessage() - part.firstMessage();
    }

    @Override
    public void cancel() {
        owner.cancel(this);
    }

    public Offer offer() {
        return part.offer();
    }

    long deadlineNanos() {
        return deadlineNanos;
    }

    boolean hasUnposted() {
        return !ended && nextMessage < part.endMessage();
    }

    int nextLength() {
        return offer().cut().length(nextMessage);
    }

    /** The next message is about to be posted. */
    int post() {
        atDevice++;
        return nextMessage++;
    }

    long address(int message) {
        return destination.address() + offset(message);
    }

    int localKey() {
        return destination.localKey();
    }

    ByteBuffer bytes(int message, int length) {
        return destination.range().slice(destination.offset() + offset(message), length);
    }

    private long offset(int message) {
        return offer().cut().offset(message - part.firstMessage());
    }

    /** The device is done with a message. */
    void completed() {
        atDevice--;
    }

    void checkStarted() {
        checking++;
    }

    void checkEnded() {
        checking--;
    }

    /** A message is right. True if it was the last. */
    boolean verified() {
        unverified--;
        return unverified == 0;
    }

    boolean isEnded() {
        return ended;
    }

    boolean isAtDevice() {
        return atDevice > 0;
    }

    boolean isHolding() {
        return holding;
    }

    /** The queue pair is gone: nothing is at the device any more. */
    void forgetDevice() {
        atDevice = 0;
    }

    /** Gives the destination back, unless something may still touch it or the transfer goes on. */
    void releaseIfQuiet() {
        if (holding && ended && atDevice == 0 && checking == 0) {
            holding = false;
            destination.range().release();
        }
    }

    boolean isBeingChecked() {
        return checking > 0;
    }

    /** Gives the destination back as memory in doubt. Must hold it. */
    RegisteredRange quarantine(String reason) {
        holding = false;
        destination.range().quarantine(reason);
        return destination.range();
    }

    /** Ends the transfer; only the first call counts. The destination is given back first where that is possible. */
    public void end(@Nullable TransferFailure failure) {
        if (ended) {
            return;
        }
        ended = true;
        releaseIfQuiet();
        owner.ended();
        try {
            if (failure == null) {
                listener.onVerified();
            } else {
                listener.onFailed(failure);
            }
        } catch (RuntimeException e) {
            LOG.error("A transfer's listener failed; the link goes on", e);
        }
    }

    @Override
    public String toString() {
        return "fetch of " + part.bytes() + " bytes of " + offer();
    }
}
