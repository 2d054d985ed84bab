package io.boltshuffle.cli.verify.ladder;

import io.boltshuffle.rdma.AccessFlag;
import io.boltshuffle.rdma.CompletionQueue;
import io.boltshuffle.rdma.CompletionStatus;
import io.boltshuffle.rdma.Completions;
import io.boltshuffle.rdma.Gid;
import io.boltshuffle.rdma.GrantedDepth;
import io.boltshuffle.rdma.PortAttributes;
import io.boltshuffle.rdma.QueuePair;
import io.boltshuffle.rdma.QueuePairAddress;
import io.boltshuffle.rdma.QueuePairRequest;
import io.boltshuffle.rdma.ReceiveBatch;
import io.boltshuffle.rdma.SendBatch;
import io.boltshuffle.rdma.VerbsException;
import io.boltshuffle.rdma.link.LeasedRange;
import io.boltshuffle.rdma.link.LinkDevice;
import io.boltshuffle.rdma.link.LinkMode;
import io.boltshuffle.rdma.link.protocol.PortAddresses;
import io.boltshuffle.rdma.link.setup.GidChoice;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A queue pair of a few frames, used through verbs alone.
 *
 * <p><b>Threads:</b> the climber's. <b>Ownership:</b> closes the queue pair before its completion queue.
 */
final class ProbeQueuePair implements AutoCloseable {

    static final int DEPTH = 64;

    private static final int FACTS_BYTES = 4 * Integer.BYTES + 2 * Gid.BYTES;
    private static final int PSN_MASK = 0xffffff;

    private final LinkDevice device;
    private final PortAttributes port;
    private final GidChoice gids;
    private final CompletionQueue completionQueue;
    private final QueuePair queuePair;
    private final Completions completions;
    private final SendBatch sends;
    private final ReceiveBatch receives;
    private final int packetSequenceNumber = new SecureRandom().nextInt() & PSN_MASK;

    private ProbeQueuePair(LinkDevice device, PortAttributes port, GidChoice gids, CompletionQueue cq, QueuePair qp) {
        this.device = device;
        this.port = port;
        this.gids = gids;
        this.completionQueue = cq;
        this.queuePair = qp;
        this.completions = cq.newCompletions(DEPTH);
        this.sends = qp.newSendBatch(1);
        this.receives = qp.newReceiveBatch(DEPTH);
    }

    /** Returns a queue pair in INIT. */
    static ProbeQueuePair open(LinkDevice device, LinkMode mode, PortAttributes port, GidChoice gids)
            throws VerbsException {
        CompletionQueue completionQueue = device.device().createCompletionQueue(2 * DEPTH + 1);
        try {
            QueuePairRequest request =
                    new QueuePairRequest(mode.queuePairType(), completionQueue, completionQueue, DEPTH, DEPTH);
            QueuePair queuePair = device.protectionDomain().createQueuePair(request);
            try {
                queuePair.initialize(device.port(), Set.of(AccessFlag.LOCAL_WRITE));
                return new ProbeQueuePair(device, port, gids, completionQueue, queuePair);
            } catch (VerbsException e) {
                queuePair.close();
                throw e;
            }
        } catch (VerbsException e) {
            completionQueue.close();
            throw e;
        }
    }

    GrantedDepth granted() throws VerbsException {
        return queuePair.grantedDepth();
    }

    /** Returns the facts that the peer needs to connect. */
    ByteBuffer facts() {
        ByteBuffer facts = ByteBuffer.allocate(FACTS_BYTES);
        facts.putInt(port.lid())
                .putInt(queuePair.number())
                .putInt(packetSequenceNumber)
                .putInt(port.activeMtu());
        PortAddresses addresses = gids.toAddresses();
        putGid(facts, addresses.ipv4());
        putGid(facts, addresses.linkLocal());
        return facts.flip();
    }

    /** Connects once: changes to RTR and RTS. Returns what was connected, for people. */
    String connect(ByteBuffer peer) throws VerbsException, FallException {
        if (peer.remaining() != FACTS_BYTES) {
            throw new FallException(
                    "the peer describes its queue pair in another way", "run the same release on both hosts");
        }
        int lid = peer.getInt();
        int number = peer.getInt();
        int psn = peer.getInt();
        int mtu = Math.min(port.activeMtu(), peer.getInt());
        PortAddresses addresses = new PortAddresses(getGid(peer), getGid(peer));
        GidChoice.Agreed agreed = gids.agree(addresses);
        if (agreed == null) {
            throw new FallException(
                    "this port has " + gids.toAddresses() + ", the peer's has " + addresses,
                    "give both interfaces an address of the same family");
        }
        queuePair.readyToReceive(
                device.port(), agreed.local().index(), new QueuePairAddress(lid, number, psn, agreed.peer()), mtu);
        queuePair.readyToSend(packetSequenceNumber);
        return "connected " + agreed.local().gid() + " to " + agreed.peer();
    }

    private static void putGid(ByteBuffer facts, @Nullable Gid gid) {
        facts.put(gid == null ? new byte[Gid.BYTES] : gid.toBytes());
    }

    private static @Nullable Gid getGid(ByteBuffer facts) {
        byte[] bytes = new byte[Gid.BYTES];
        facts.get(bytes);
        Gid gid = Gid.of(bytes);
        return gid.isZero() ? null : gid;
    }

    void postReceive(LeasedRange range, int offset, int length) throws VerbsException {
        receives.addReceive(offset, range.address() + offset, length, range.localKey(offset));
        queuePair.post(receives);
    }

    void postSend(LeasedRange range, int offset, int length) throws VerbsException {
        sends.addSend(offset, range.address() + offset, length, range.localKey(offset));
        queuePair.post(sends);
    }

    /** The receiver of what one poll brought: offsets of messages received, in order. */
    interface Arrivals {
        void arrived(int offset) throws FallException, VerbsException;
    }

    void poll(int expectedBytes, Arrivals arrivals) throws VerbsException, FallException {
        int count = completionQueue.poll(completions);
        for (int i = 0; i < count; i++) {
            if (completions.status(i) != 0) {
                throw new FallException(
                        "a message completed with " + CompletionStatus.of(completions.status(i)),
                        "check the cable; if it persists, restart both hosts");
            }
            if (completions.isReceive(i)) {
                if (completions.byteLength(i) != expectedBytes) {
                    throw new FallException(
                            "a message of " + completions.byteLength(i) + " bytes arrived instead of " + expectedBytes,
                            "check the cable: frames are being lost");
                }
                arrivals.arrived((int) completions.workRequestId(i));
            }
        }
    }

    @Override
    public void close() throws VerbsException {
        queuePair.close();
        completionQueue.close();
        sends.close();
        receives.close();
        completions.close();
    }
}
