package io.boltshuffle.rdma.link.setup;

import io.boltshuffle.rdma.AccessFlag;
import io.boltshuffle.rdma.CompletionQueue;
import io.boltshuffle.rdma.DeviceLimits;
import io.boltshuffle.rdma.GrantedDepth;
import io.boltshuffle.rdma.PortAttributes;
import io.boltshuffle.rdma.PortState;
import io.boltshuffle.rdma.QueuePair;
import io.boltshuffle.rdma.QueuePairRequest;
import io.boltshuffle.rdma.VerbsException;
import io.boltshuffle.rdma.link.LinkDevice;
import io.boltshuffle.rdma.link.LinkFailure.Reason;
import io.boltshuffle.rdma.link.LinkMode;
import io.boltshuffle.rdma.link.LinkOptions;
import io.boltshuffle.rdma.link.move.Endpoint;
import io.boltshuffle.rdma.link.move.LinkDownException;
import io.boltshuffle.rdma.link.protocol.LinkMessage.Hello;
import java.util.EnumSet;
import java.util.Set;

/**
 * This side's queue pair before it is connected: the end that moves bytes, and what the peer must know of it.
 *
 * <p><b>Threads:</b> made and connected on the control executor.
 *
 * @param portNumber of the device, from 1
 */
public record LocalEnd(Endpoint endpoint, QueuePair queuePair, int portNumber, PortAttributes port, GidChoice gids) {

    /** Sends and receives complete on one completion queue. */
    private static final int QUEUES = 2;

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

    /** Creates a queue pair in INIT with nothing posted. Closes what it made when a step fails. */
    static LocalEnd create(LinkDevice device, LinkOptions options) throws VerbsException, LinkDownException {
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
            Endpoint endpoint =
                    new Endpoint(device.device().name(), queues.queuePair, queues.completionQueue, usable, maxMessages);
            return new LocalEnd(endpoint, queues.queuePair, device.port(), port, gids);
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

    /**
     * Returns room for one message per frame of both queues. If that is more than the device allows, large messages
     * still use all their frames.
     */
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

    /** Connects: changes to RTR and RTS. It is tried once, because a failed attempt leaks device resources. */
    void connect(Hello peer, GidChoice.Agreed gid, int packetSequenceNumber) throws VerbsException {
        int mtu = Math.min(port.activeMtu(), peer.pathMtu());
        queuePair.readyToReceive(portNumber, gid.local().index(), peer.at(gid.peer()), mtu);
        queuePair.readyToSend(packetSequenceNumber);
    }
}
