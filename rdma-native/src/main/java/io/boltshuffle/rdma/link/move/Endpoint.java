package io.boltshuffle.rdma.link.move;

import io.boltshuffle.rdma.CompletionQueue;
import io.boltshuffle.rdma.Completions;
import io.boltshuffle.rdma.DeviceStuckException;
import io.boltshuffle.rdma.GrantedDepth;
import io.boltshuffle.rdma.QueuePair;
import io.boltshuffle.rdma.ReceiveBatch;
import io.boltshuffle.rdma.SendBatch;
import io.boltshuffle.rdma.VerbsException;
import io.boltshuffle.rdma.link.LinkFailure.Reason;

/**
 * A link's queue pair, its completion queue, and the batches to post and poll with.
 *
 * <p><b>Threads:</b> made and closed on the control executor; posted and polled by the poller in between.
 */
public final class Endpoint {

    private static final int BATCH = 256;

    private final String deviceName;
    private final QueuePair queuePair;
    private final CompletionQueue completionQueue;
    private final GrantedDepth granted;
    private final int maxMessages;
    private final Completions completions;
    private final SendBatch sends;
    private final ReceiveBatch receives;

    /**
     * Takes a queue pair in INIT, on which nothing is posted, and the queue that its work completes on.
     *
     * @param granted how much work the device lets the queue pair hold
     * @param maxMessages how many messages each queue may have posted, however small they are
     */
    public Endpoint(
            String deviceName,
            QueuePair queuePair,
            CompletionQueue completionQueue,
            GrantedDepth granted,
            int maxMessages) {
        this.deviceName = deviceName;
        this.queuePair = queuePair;
        this.completionQueue = completionQueue;
        this.granted = granted;
        this.maxMessages = maxMessages;
        this.completions = completionQueue.newCompletions(BATCH);
        this.sends = queuePair.newSendBatch(BATCH);
        this.receives = queuePair.newReceiveBatch(BATCH);
    }

    /**
     * Closes without going through ERROR, which Apple's provider does not survive. On success nothing of the device is
     * left.
     *
     * @param queuePairGone run once the queue pair is destroyed, also when that succeeds only after this has given up
     *     on it
     */
    public void close(Runnable queuePairGone) throws VerbsException {
        try {
            queuePair.close();
        } catch (DeviceStuckException e) {
            e.ifItSucceedsLate(queuePairGone);
            throw e;
        }
        queuePairGone.run();
        completionQueue.close();
        sends.close();
        receives.close();
        completions.close();
    }

    public String deviceName() {
        return deviceName;
    }

    /** Returns how many messages each queue may have posted, however small they are: so many completions have room. */
    int maxMessages() {
        return maxMessages;
    }

    /** Returns the depth that may be posted: the granted depth, limited to the depth that was asked for. */
    public GrantedDepth granted() {
        return granted;
    }

    Completions completions() {
        return completions;
    }

    int poll() throws VerbsException {
        return completionQueue.poll(completions);
    }

    SendBatch sends() {
        return sends;
    }

    ReceiveBatch receives() {
        return receives;
    }

    void postSends() throws LinkDownException {
        if (sends.count() > 0) {
            try {
                queuePair.post(sends);
            } catch (VerbsException e) {
                throw refused(e);
            }
        }
    }

    void postReceives() throws LinkDownException {
        if (receives.count() > 0) {
            try {
                queuePair.post(receives);
            } catch (VerbsException e) {
                throw refused(e);
            }
        }
    }

    private static LinkDownException refused(VerbsException e) {
        return new LinkDownException(Reason.POST_REFUSED, "a post was refused: " + e.getMessage(), e);
    }
}
