package io.boltshuffle.rdma.link.move;

import io.boltshuffle.rdma.AccessFlag;
import io.boltshuffle.rdma.CompletionQueue;
import io.boltshuffle.rdma.Completions;
import io.boltshuffle.rdma.DeviceLimits;
import io.boltshuffle.rdma.DeviceStuckException;
import io.boltshuffle.rdma.GrantedDepth;
import io.boltshuffle.rdma.link.LinkDevice;
import io.boltshuffle.rdma.link.LinkFailure.Reason;
import io.boltshuffle.rdma.link.LinkMode;
import io.boltshuffle.rdma.link.LinkOptions;
import io.boltshuffle.rdma.link.protocol.LinkMessage.Hello;
import io.boltshuffle.rdma.link.setup.GidChoice;
import io.boltshuffle.rdma.PortAttributes;
import io.boltshuffle.rdma.PortState;
import io.boltshuffle.rdma.QueuePair;
import io.boltshuffle.rdma.QueuePairRequest;
import io.boltshuffle.rdma.ReceiveBatch;
import io.boltshuffle.rdma.SendBatch;
import io.boltshuffle.rdma.VerbsException;
import java.util.EnumSet;
import java.util.Set;

/**
 * A link's queue pair, its completion queue, and the batches to post and poll with.
 *
 * <p><b>Threads:</b> made, connected and closed on the control executor; posted and polled by the poller in between.
 */
final class Endpoint {

    private static final int BATCH = 256;

    /** Sends and receives complete on one completion queue. */
    private static final int QUEUES = 2;

    private final LinkDevice device;
    private final PortAttributes port;
    private final GidChoice gids;
    private final GrantedDepth granted;
    private final int maxMessages;
    private final Queues queues;
    private final Completions completions;
    private final SendBatch sends;
    private final ReceiveBatch receives;

    private Endpoint(
            LinkDevice device,
            PortAttributes port,
            GidChoice gids,
            GrantedDepth granted,
            int maxMessages,
            Queues queues) {
        this.device = device;
        this.port = port;
        this.gids = gids;
        this.granted = granted;
        this.maxMessages = maxMessages;
        this.queues = queues;
        this.completions = queues.completionQueue.newCompletions(BATCH);
        this.sends = queues.queuePair.newSendBatch(BATCH);
        this.receives = queues.queuePair.newReceiveBatch(BATCH);
    }

    /** The queue pair is closed first: while it lives, the device may add completions. */
    private record Queues(CompletionQueue completionQueue, QueuePair queuePair) {

        static Queues create(LinkDevice device, LinkMode mode, int depth) throws VerbsException {
            CompletionQueue completionQueue = device.device().createCompletionQueue(completionEntries(device, depth));
            try {
                int receiveDepth = mode == LinkMode.SEND ? depth : 1;
                QueuePairRequest request = new QueuePairRequest(
                        mode.queuePairType(), completionQueue, completionQueue, depth, receiveDepth);
                return new Queues(completionQueue, device.protectionDomain().createQueuePair(request));
            } catch (VerbsException e) {
                closeAfter(e, completionQueue::close);
                throw e;
            }
        }

        void close() throws VerbsException {
            queuePair.close();
            completionQueue.close();
        }
    }

    /** A queue pair in INIT, nothing posted. Closes what it made when a step fails. */
    static Endpoint create(LinkDevice device, LinkOptions options) throws VerbsException, LinkDownException {
        PortAttributes port = activePort(device);
        GidChoice gids = GidChoice.among(device.device().gids(device.port()), options.interfaceAddresses());
        int depth = depth(device.device().limits(), options.depthFrames());
        Queues queues = Queues.create(device, options.mode(), depth);
        try {
            GrantedDepth granted = queues.queuePair.grantedDepth();
            Set<AccessFlag> access = options.mode() == LinkMode.SEND
                    ? EnumSet.noneOf(AccessFlag.class)
                    : EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_READ);
            queues.queuePair.initialize(device.port(), access);
            // More than asked for may be granted, but what is posted was planned with what was asked.
            GrantedDepth usable = new GrantedDepth(Math.min(granted.send(), depth), Math.min(granted.receive(), depth));
            int maxMessages = (completionEntries(device, depth) - 1) / QUEUES;
            return new Endpoint(device, port, gids, usable, maxMessages, queues);
        } catch (VerbsException e) {
            closeAfter(e, queues::close);
            throw e;
        }
    }

    private static PortAttributes activePort(LinkDevice device) throws VerbsException, LinkDownException {
        PortAttributes port = device.device().queryPort(device.port());
        if (port.state() != PortState.ACTIVE) {
            throw new LinkDownException(
                    Reason.PORT_NOT_ACTIVE,
                    device.device().name() + " port " + device.port() + " is " + port.state()
                            + ": check the cable and that the peer is awake");
        }
        return port;
    }

    private static int depth(DeviceLimits limits, int wanted) {
        return Math.max(1, Math.min(wanted, limits.maxQueuePairDepth()));
    }

    /** For a message of each frame of both queues; where that is too many, large messages still use all their frames. */
    private static int completionEntries(LinkDevice device, int depth) throws VerbsException {
        return Math.min(QUEUES * depth + 1, device.device().limits().maxCompletionQueueEntries());
    }

    @FunctionalInterface
    private interface Closing {
        void close() throws VerbsException;
    }

    private static void closeAfter(VerbsException failure, Closing closing) {
        try {
            closing.close();
        } catch (VerbsException e) {
            failure.addSuppressed(e);
        }
    }

    /** To RTR and RTS. Tried once: a failed attempt leaks device resources. */
    void connect(Hello peer, GidChoice.Agreed gid, int packetSequenceNumber) throws VerbsException {
        int mtu = Math.min(port.activeMtu(), peer.pathMtu());
        queues.queuePair.readyToReceive(device.port(), gid.local().index(), peer.at(gid.peer()), mtu);
        queues.queuePair.readyToSend(packetSequenceNumber);
    }

    /**
     * Closes without going through ERROR, which Apple's provider does not survive. On success nothing of the device is left.
     *
     * @param queuePairGone run once the queue pair is destroyed, also when that succeeds only after this has given up on it
     */
    void close(Runnable queuePairGone) throws VerbsException {
        try {
            queues.queuePair.close();
        } catch (DeviceStuckException e) {
            e.ifItSucceedsLate(queuePairGone);
            throw e;
        }
        queuePairGone.run();
        queues.completionQueue.close();
        sends.close();
        receives.close();
        completions.close();
    }

    String deviceName() {
        return device.device().name();
    }

    PortAttributes port() {
        return port;
    }

    GidChoice gids() {
        return gids;
    }

    /** How many messages each queue may have posted, however small they are: so many completions have room. */
    int maxMessages() {
        return maxMessages;
    }

    /** What may be posted: the granted depth, within what was asked for. */
    GrantedDepth granted() {
        return granted;
    }

    int queuePairNumber() {
        return queues.queuePair.number();
    }

    Completions completions() {
        return completions;
    }

    int poll() throws VerbsException {
        return queues.completionQueue.poll(completions);
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
                queues.queuePair.post(sends);
            } catch (VerbsException e) {
                throw refused(e);
            }
        }
    }

    void postReceives() throws LinkDownException {
        if (receives.count() > 0) {
            try {
                queues.queuePair.post(receives);
            } catch (VerbsException e) {
                throw refused(e);
            }
        }
    }

    private static LinkDownException refused(VerbsException e) {
        return new LinkDownException(Reason.POST_REFUSED, "a post was refused: " + e.getMessage(), e);
    }
}
