package io.boltshuffle.rdma.verbs;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import io.boltshuffle.rdma.AccessFlag;
import io.boltshuffle.rdma.CompletionQueue;
import io.boltshuffle.rdma.Completions;
import io.boltshuffle.rdma.Device;
import io.boltshuffle.rdma.GidEntry;
import io.boltshuffle.rdma.MemoryRegion;
import io.boltshuffle.rdma.ProtectionDomain;
import io.boltshuffle.rdma.QueuePair;
import io.boltshuffle.rdma.QueuePairAddress;
import io.boltshuffle.rdma.QueuePairRequest;
import io.boltshuffle.rdma.QueuePairType;
import io.boltshuffle.rdma.ReceiveBatch;
import io.boltshuffle.rdma.SendBatch;
import io.boltshuffle.rdma.VerbsException;
import io.boltshuffle.rdma.VerbsProvider;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One queue pair with everything it needs and one registered range of memory: the smallest thing that can talk. */
final class TestEndpoint implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(TestEndpoint.class);
    static final int PORT = 1;
    static final int MTU_4096 = 5;
    static final int DEPTH = 256;
    private static final int PAGE = 16 << 10;
    private static final int BATCH = 16;
    static final long PAUSE_NANOS = 20_000;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

    final Device device;
    final ProtectionDomain domain;
    final CompletionQueue completionQueue;
    final QueuePair queuePair;
    final MemoryRegion region;
    final Memory memory;
    final ByteBuffer bytes;
    final Completions completions;
    final SendBatch sends;
    final ReceiveBatch receives;

    TestEndpoint(VerbsProvider provider, String deviceName, QueuePairType type, int memoryBytes) throws VerbsException {
        device = provider.open(deviceName);
        domain = device.allocateProtectionDomain();
        completionQueue = device.createCompletionQueue(2 * DEPTH + 1);
        queuePair = domain.createQueuePair(new QueuePairRequest(type, completionQueue, completionQueue, DEPTH, DEPTH));
        memory = new Memory(memoryBytes + PAGE).align(PAGE);
        bytes = memory.getByteBuffer(0, memoryBytes);
        region = domain.register(
                Pointer.nativeValue(memory),
                memoryBytes,
                Set.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ));
        completions = completionQueue.newCompletions(BATCH);
        sends = queuePair.newSendBatch(BATCH);
        receives = queuePair.newReceiveBatch(BATCH);
    }

    /** Returns what the peer needs to connect here. */
    QueuePairAddress address() throws VerbsException {
        return new QueuePairAddress(
                device.queryPort(PORT).lid(),
                queuePair.number(),
                1000,
                ipv4Gid().gid());
    }

    GidEntry ipv4Gid() throws VerbsException {
        return device.gids(PORT).stream()
                .filter(entry -> entry.gid().isIpv4Mapped())
                .findFirst()
                .orElseThrow();
    }

    void initialize() throws VerbsException {
        queuePair.initialize(PORT, Set.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_READ));
    }

    void connect(QueuePairAddress peer) throws VerbsException {
        queuePair.readyToReceive(
                PORT, ipv4Gid().index(), peer, device.queryPort(PORT).activeMtu());
        queuePair.readyToSend(address().packetSequenceNumber());
    }

    long at(int offset) {
        return Pointer.nativeValue(memory) + offset;
    }

    void receive(long id, int offset, int length) throws VerbsException {
        receives.addReceive(id, at(offset), length, region.localKey());
        queuePair.post(receives);
    }

    void send(long id, int offset, int length) throws VerbsException {
        sends.addSend(id, at(offset), length, region.localKey());
        queuePair.post(sends);
    }

    /** Moves the queue pair to ERROR, as no link does. */
    void fail() throws VerbsException {
        ((JnaQueuePair) queuePair).fail();
    }

    /** Waits for the next completions, at least one. */
    int awaitCompletions() throws VerbsException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        int found = completionQueue.poll(completions);
        while (found == 0) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("no completion on " + device.name());
            }
            LockSupport.parkNanos(PAUSE_NANOS);
            found = completionQueue.poll(completions);
        }
        return found;
    }

    /**
     * Closes an endpoint that a test has broken on purpose. What the device refuses to take back stays with the device.
     */
    void closeAsFarAsItGoes() {
        for (AutoCloseable part :
                List.of(sends, receives, queuePair, region, completions, completionQueue, domain, device, memory)) {
            try {
                part.close();
            } catch (Exception refused) {
                LOG.debug("{} was not taken back", part, refused);
            }
        }
    }

    @Override
    public void close() throws VerbsException {
        sends.close();
        receives.close();
        queuePair.close();
        region.close();
        completions.close();
        completionQueue.close();
        domain.close();
        device.close();
        memory.close();
    }
}
