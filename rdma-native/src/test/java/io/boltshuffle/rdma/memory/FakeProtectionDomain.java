package io.boltshuffle.rdma.memory;

import io.boltshuffle.rdma.AccessFlag;
import io.boltshuffle.rdma.DeviceStuckException;
import io.boltshuffle.rdma.MemoryRegion;
import io.boltshuffle.rdma.ProtectionDomain;
import io.boltshuffle.rdma.QueuePair;
import io.boltshuffle.rdma.QueuePairRequest;
import io.boltshuffle.rdma.VerbsException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A device that registers memory under limits which a test chooses, and writes down what it was asked. */
final class FakeProtectionDomain implements ProtectionDomain {

    /** A request to register. */
    record Asked(long address, long length, Set<AccessFlag> access) {}

    final List<Asked> asked = new ArrayList<>();
    final List<Region> open = new ArrayList<>();
    final List<Region> closed = new ArrayList<>();

    long maxRegionBytes = Long.MAX_VALUE;
    int maxRegions = Integer.MAX_VALUE;
    int refusesToCloseKey = -1;

    @Nullable CompletableFuture<?> hangsInClose;

    int breaksAtRequest = Integer.MAX_VALUE;
    int hangsAtRequest = Integer.MAX_VALUE;
    Set<AccessFlag> refusedAccess = Set.of();

    @Override
    public MemoryRegion register(long address, long length, Set<AccessFlag> access) throws VerbsException {
        asked.add(new Asked(address, length, access));
        if (asked.size() >= hangsAtRequest) {
            boolean isFirst = asked.size() == hangsAtRequest;
            throw new DeviceStuckException("ibv_reg_mr hangs", "ibv_reg_mr", /* underWay= */ isFirst);
        }
        if (asked.size() == breaksAtRequest) {
            throw new OutOfMemoryError("made by a test");
        }
        if (address >>> 32 != (address + length - 1) >>> 32) {
            throw new AssertionError("crosses a 4 GiB-aligned address");
        }
        if (length > maxRegionBytes || access.equals(refusedAccess)) {
            throw new VerbsException("ibv_reg_mr: EINVAL", "ibv_reg_mr", 22);
        }
        if (open.size() >= maxRegions) {
            throw new VerbsException("ibv_reg_mr: ENOMEM", "ibv_reg_mr", 12);
        }
        Region region = new Region(address, length, 1000 + asked.size());
        open.add(region);
        return region;
    }

    /** A region that is registered, or was. */
    final class Region implements MemoryRegion {
        private final long address;
        private final long length;
        private final int key;

        private Region(long address, long length, int key) {
            this.address = address;
            this.length = length;
            this.key = key;
        }

        long address() {
            return address;
        }

        long length() {
            return length;
        }

        @Override
        public int localKey() {
            return key;
        }

        @Override
        public int remoteKey() {
            return -key;
        }

        @Override
        public void close() throws VerbsException {
            if (key == refusesToCloseKey) {
                throw new VerbsException("ibv_dereg_mr: EBUSY", "ibv_dereg_mr", 16);
            }
            if (hangsInClose != null) {
                throw new DeviceStuckException("ibv_dereg_mr hangs", "ibv_dereg_mr", hangsInClose);
            }
            if (asked.size() >= hangsAtRequest) {
                throw new DeviceStuckException("ibv_dereg_mr not made", "ibv_reg_mr", /* underWay= */ false);
            }
            open.remove(this);
            closed.add(this);
        }
    }

    @Override
    public QueuePair createQueuePair(QueuePairRequest request) {
        throw new UnsupportedOperationException("memory only");
    }

    @Override
    public void close() {}
}
