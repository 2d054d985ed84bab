package io.boltshuffle.agent.cable;

import io.boltshuffle.rdma.AccessFlag;
import io.boltshuffle.rdma.Availability;
import io.boltshuffle.rdma.CompletionQueue;
import io.boltshuffle.rdma.Device;
import io.boltshuffle.rdma.DeviceLimits;
import io.boltshuffle.rdma.Gid;
import io.boltshuffle.rdma.GidEntry;
import io.boltshuffle.rdma.LinkLayer;
import io.boltshuffle.rdma.MemoryRegion;
import io.boltshuffle.rdma.PortAttributes;
import io.boltshuffle.rdma.PortState;
import io.boltshuffle.rdma.ProtectionDomain;
import io.boltshuffle.rdma.QueuePair;
import io.boltshuffle.rdma.QueuePairRequest;
import io.boltshuffle.rdma.VerbsException;
import io.boltshuffle.rdma.VerbsProvider;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Devices that can be found, opened and registered with, each with one ACTIVE port: of Thunderbolt, or of Ethernet if
 * its name begins with {@link #CARD}. None gives out a queue pair.
 */
final class FakeVerbs implements VerbsProvider {

    static final String CARD = "rdma_mcrdma";

    private volatile List<String> names = List.of();
    private volatile CountDownLatch answers = new CountDownLatch(0);
    private volatile boolean breaks;
    private final AtomicInteger open = new AtomicInteger();
    private final List<String> opened = new CopyOnWriteArrayList<>();

    void plug(String... devices) {
        names = List.of(devices);
    }

    /** Holds each call that makes something for a link until this latch is open, from now on. */
    void answerAfter(CountDownLatch latch) {
        answers = latch;
    }

    /**
     * Throws an Error, from now on, when devices are listed, or when the port of a device with a protection domain is
     * looked at.
     */
    void breakDown(boolean broken) {
        breaks = broken;
    }

    /** Names of the devices that were opened so far. */
    List<String> opened() {
        return opened;
    }

    /** Devices that are open. */
    int openCount() {
        return open.get();
    }

    @Override
    public String name() {
        return "fake verbs";
    }

    @Override
    public Availability availability() {
        return new Availability.Available(name());
    }

    @Override
    public List<String> deviceNames() {
        if (breaks) {
            throw new OutOfMemoryError("made by a test");
        }
        return names;
    }

    @Override
    public Device open(String deviceName) throws VerbsException {
        if (!names.contains(deviceName)) {
            throw new VerbsException("no device " + deviceName, "ibv_open_device", 0);
        }
        open.incrementAndGet();
        opened.add(deviceName);
        return new FakeDevice(deviceName);
    }

    private void awaitPermission() {
        try {
            answers.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private final class FakeDevice implements Device {
        private final String name;
        private boolean hasDomain;

        private FakeDevice(String name) {
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public DeviceLimits limits() {
            return new DeviceLimits(1L << 32, 10, 4095, 1, 11, 4096, 100, 11, 1);
        }

        @Override
        public PortAttributes queryPort(int port) {
            if (breaks && hasDomain) {
                throw new OutOfMemoryError("made by a test");
            }
            LinkLayer layer = name.startsWith(CARD) ? LinkLayer.ETHERNET : LinkLayer.THUNDERBOLT;
            return new PortAttributes(PortState.ACTIVE, 4096, 3, 1 << 24, 0, layer, 80);
        }

        @Override
        public List<GidEntry> gids(int port) {
            return List.of(new GidEntry(
                    1, Gid.of(new byte[] {(byte) 0xfe, (byte) 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1})));
        }

        @Override
        public ProtectionDomain allocateProtectionDomain() {
            hasDomain = true;
            return new FakeDomain();
        }

        @Override
        public CompletionQueue createCompletionQueue(int entries) throws VerbsException {
            awaitPermission();
            throw new VerbsException("the completion queues are used up", "ibv_create_cq", 12);
        }

        @Override
        public void close() {
            open.decrementAndGet();
        }
    }

    private static final class FakeDomain implements ProtectionDomain {
        @Override
        public MemoryRegion register(long address, long length, Set<AccessFlag> access) {
            return new FakeRegion(address, length);
        }

        @Override
        public QueuePair createQueuePair(QueuePairRequest request) throws VerbsException {
            throw new VerbsException("the queue pairs are used up", "ibv_create_qp", 16);
        }

        @Override
        public void close() {}
    }

    private record FakeRegion(long address, long length) implements MemoryRegion {
        @Override
        public int localKey() {
            return 1;
        }

        @Override
        public int remoteKey() {
            return 2;
        }

        @Override
        public void close() {}
    }
}
