package io.boltshuffle.rdma.link.engine;

import io.boltshuffle.rdma.AccessFlag;
import io.boltshuffle.rdma.Availability;
import io.boltshuffle.rdma.CompletionQueue;
import io.boltshuffle.rdma.Device;
import io.boltshuffle.rdma.DeviceLimits;
import io.boltshuffle.rdma.Gid;
import io.boltshuffle.rdma.GidEntry;
import io.boltshuffle.rdma.GrantedDepth;
import io.boltshuffle.rdma.LinkLayer;
import io.boltshuffle.rdma.MemoryRegion;
import io.boltshuffle.rdma.PortAttributes;
import io.boltshuffle.rdma.PortState;
import io.boltshuffle.rdma.ProtectionDomain;
import io.boltshuffle.rdma.QueuePair;
import io.boltshuffle.rdma.QueuePairRequest;
import io.boltshuffle.rdma.VerbsException;
import io.boltshuffle.rdma.VerbsProvider;
import io.boltshuffle.rdma.link.engine.SimFaults.Kind;
import java.util.List;
import java.util.Set;

/** The verbs of one simulated host, which has one device with one port. */
final class SimDevice implements VerbsProvider, Device, ProtectionDomain {

    private final int side;
    private final SimWorld world;
    private final SimCable cable;
    private final SimFaults faults;
    private int portQueries;

    SimDevice(int side, SimWorld world, SimCable cable, SimFaults faults) {
        this.side = side;
        this.world = world;
        this.cable = cable;
        this.faults = faults;
    }

    @Override
    public String name() {
        return "sim" + side;
    }

    @Override
    public Availability availability() {
        return new Availability.Available("simulated");
    }

    @Override
    public List<String> deviceNames() {
        return List.of(name());
    }

    @Override
    public Device open(String deviceName) {
        return this;
    }

    @Override
    public DeviceLimits limits() {
        return new DeviceLimits(16_384_000, 10, 4095, 1, 11, 4096, 100, 11, 1);
    }

    /** Down only when a link looks, not when the device is opened. */
    @Override
    public PortAttributes queryPort(int port) {
        boolean down = faults.isSet(Kind.PORT_DOWN) && faults.side() == side && portQueries++ > 0;
        PortState state = down ? PortState.DOWN : PortState.ACTIVE;
        return new PortAttributes(state, 5, 3, 0x1000000, 0, LinkLayer.THUNDERBOLT, 80);
    }

    @Override
    public List<GidEntry> gids(int port) {
        byte[] address = new byte[Gid.BYTES];
        address[0] = (byte) 0xfe;
        address[1] = (byte) 0x80;
        address[15] = (byte) (1 + side);
        return List.of(new GidEntry(1, Gid.of(address)));
    }

    @Override
    public ProtectionDomain allocateProtectionDomain() {
        return this;
    }

    @Override
    public CompletionQueue createCompletionQueue(int entries) {
        return new SimCompletionQueue(entries);
    }

    @Override
    public MemoryRegion register(long address, long length, Set<AccessFlag> access) {
        throw new UnsupportedOperationException("simulated memory is registered already");
    }

    /** Grants less or more than asked for, as devices do. */
    @Override
    public QueuePair createQueuePair(QueuePairRequest request) throws VerbsException {
        if (faults.isSet(Kind.NO_QUEUE_PAIR) && faults.side() == side) {
            throw new VerbsException("the queue pair budget is used up", "ibv_create_qp", 16);
        }
        return new SimQueuePair(
                side,
                new GrantedDepth(grant(request.sendDepth()), grant(request.receiveDepth())),
                (SimCompletionQueue) request.sendCompletions(),
                cable,
                faults);
    }

    private int grant(int asked) {
        return (int) world.between(Math.max(4, asked / 2), 2L * asked + 4);
    }

    @Override
    public void close() {}
}
