package io.boltshuffle.rdma.link.move;

import io.boltshuffle.rdma.link.LinkCounters;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A link's counts. Written by the thread that has the link's turn, read by any; a snapshot may be a little uneven.
 */
public final class LinkRecorder {

    private final AtomicLong bytesVerified = new AtomicLong();
    private final AtomicLong bytesServed = new AtomicLong();
    private final AtomicLong messagesVerified = new AtomicLong();
    private final AtomicLong transfersVerified = new AtomicLong();
    private final AtomicLong transfersFailed = new AtomicLong();
    private final AtomicLong quarantined = new AtomicLong();
    private final AtomicLong calibrationBytes = new AtomicLong();
    private boolean isCalibrated;

    /** Tells what was moved to measure the cable from what is moved from here on. */
    public void calibrated() {
        isCalibrated = true;
    }

    void messageVerified(int bytes) {
        add(isCalibrated ? bytesVerified : calibrationBytes, bytes);
        add(messagesVerified, 1);
    }

    void messageServed(int bytes) {
        add(isCalibrated ? bytesServed : calibrationBytes, bytes);
    }

    public void transferEnded(boolean verified) {
        add(verified ? transfersVerified : transfersFailed, 1);
    }

    public void rangeQuarantined() {
        add(quarantined, 1);
    }

    /** Adds without the fence of an atomic increment: there is one writer. */
    private static void add(AtomicLong counter, long amount) {
        counter.setRelease(counter.getPlain() + amount);
    }

    public LinkCounters snapshot() {
        return new LinkCounters(
                bytesVerified.get(),
                bytesServed.get(),
                messagesVerified.get(),
                transfersVerified.get(),
                transfersFailed.get(),
                quarantined.get(),
                calibrationBytes.get());
    }
}
