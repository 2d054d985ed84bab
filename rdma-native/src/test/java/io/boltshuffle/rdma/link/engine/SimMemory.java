package io.boltshuffle.rdma.link.engine;

import io.boltshuffle.rdma.link.MessageCut;
import io.boltshuffle.rdma.link.RegisteredRange;
import io.boltshuffle.rdma.memory.Lease;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The registered memory of one simulated host, and the ledger of its holds. */
final class SimMemory {

    private final ByteBuffer bytes;
    private final long base;
    private final int localKey;
    private final int remoteKey;
    private final List<SimRange> ranges = new ArrayList<>();
    private int used;

    SimMemory(int host, int size) {
        this.bytes = ByteBuffer.allocate(size);
        this.base = (long) (host + 1) << 40;
        this.localKey = 100 + host;
        this.remoteKey = 200 + host;
    }

    int localKey() {
        return localKey;
    }

    int remoteKey() {
        return remoteKey;
    }

    /** A range of its own: nothing is used twice in one run, so that a stray write is always seen. */
    SimRange lease(String name, int size) {
        SimRange range = new SimRange(name, used, size);
        used += MessageCut.frames(size) * Lease.FRAME_BYTES;
        if (used > bytes.capacity()) {
            throw new IllegalStateException("the simulated host has too little memory for this schedule");
        }
        ranges.add(range);
        return range;
    }

    List<SimRange> ranges() {
        return ranges;
    }

    ByteBuffer at(long address, int length) {
        return bytes.slice(Math.toIntExact(address - base), length);
    }

    /** Asserts that a link holds what the device touches. */
    void assertHeld(long address, int length) {
        for (SimRange range : ranges) {
            if (address >= range.address() && address + length <= range.address() + range.bytes()) {
                if (range.isHome()) {
                    throw new AssertionError("the device touches " + range + ", which no link holds");
                }
                return;
            }
        }
        throw new AssertionError("the device touches " + length + " bytes that belong to no range");
    }

    /** A leased range with its ledger. */
    final class SimRange implements RegisteredRange {
        private final String name;
        private final int offset;
        private final int size;
        private int holds;
        private int quarantines;
        private @Nullable String quarantined;

        private SimRange(String name, int offset, int size) {
            this.name = name;
            this.offset = offset;
            this.size = size;
        }

        boolean isHome() {
            return holds == 0 && quarantined == null;
        }

        @Nullable String quarantined() {
            return quarantined;
        }

        byte[] copy() {
            byte[] copy = new byte[size];
            bytes.get(offset, copy);
            return copy;
        }

        void fill(SimWorld world) {
            byte[] content = new byte[size];
            world.random().nextBytes(content);
            bytes.put(offset, content);
        }

        @Override
        public long address() {
            return base + offset;
        }

        @Override
        public long bytes() {
            return size;
        }

        @Override
        public int localKey(long from) {
            return localKey;
        }

        @Override
        public int remoteKey(long from) {
            return remoteKey;
        }

        @Override
        public long bytesToRegionEnd(long from) {
            return size - from;
        }

        @Override
        public ByteBuffer slice(long from, int length) {
            return bytes.slice(Math.toIntExact(offset + from), length);
        }

        @Override
        public void retain() {
            holds++;
        }

        @Override
        public void release() {
            if (holds == 0) {
                throw new AssertionError(name + " was let go of once too often");
            }
            holds--;
        }

        @Override
        public void quarantine(String reason) {
            release();
            quarantined = reason;
            quarantines++;
        }

        @Override
        public void endQuarantine() {
            if (quarantines == 0) {
                throw new AssertionError(name + " left quarantine once too often");
            }
            quarantines--;
            quarantined = quarantines == 0 ? null : quarantined;
        }

        @Override
        public String toString() {
            return name + " (" + holds + " holds" + (quarantined == null ? ")" : ", quarantined: " + quarantined + ")");
        }
    }
}
