package io.boltshuffle.agent.cable;

import io.boltshuffle.rdma.link.MemoryWindow;
import io.boltshuffle.rdma.link.RegisteredRange;
import io.boltshuffle.rdma.memory.Lease;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * The windows of a simulated port and of its one link, with all that was ever opened. What a peer reads has to be open.
 *
 * <p><b>Threads:</b> any.
 */
public final class SimWindow implements MemoryWindow, MemoryWindow.OfPort, AutoCloseable {

    private final Function<Lease, RegisteredRange> ranges;
    private final Executor control;
    private final List<Opening> opened = new ArrayList<>();
    private volatile boolean refusesAreas;
    private volatile boolean refusesCopies;

    /** @param control takes the peers' rights to read away, as a device does on its control thread */
    public SimWindow(Function<Lease, RegisteredRange> ranges, Executor control) {
        this.ranges = ranges;
        this.control = control;
    }

    public void refuseAreas() {
        refusesAreas = true;
    }

    public void refuseCopies() {
        refusesCopies = true;
    }

    @Override
    public MemoryWindow.Opening open(Lease lease) throws IOException {
        if (refusesAreas) {
            throw new IOException("ibv_reg_mr: of the test");
        }
        ByteBuffer all = lease.view(0, (int) lease.bytes());
        while (all.hasRemaining()) {
            all.put((byte) 0);
        }
        return opened(new Opening(lease, lease.bytes(), /* isCopy= */ false));
    }

    @Override
    public MemoryWindow.OfPort ofPort() {
        return this;
    }

    @Override
    public String port() {
        return "simulated";
    }

    @Override
    public Optional<MemoryWindow.Opening> open(Lease lease, long bytes) {
        return refusesCopies ? Optional.empty() : Optional.of(opened(new Opening(lease, bytes, /* isCopy= */ true)));
    }

    private synchronized Opening opened(Opening opening) {
        opened.add(opening);
        return opening;
    }

    /** Returns the areas that were opened so far. */
    public List<Lease> areas() {
        return all(/* copies= */ false).stream().map(Opening::lease).toList();
    }

    /** Returns how many areas a peer may read now. */
    public long openAreas() {
        return all(/* copies= */ false).stream().filter(Opening::isOpen).count();
    }

    /** Returns how many bytes of each copy were opened so far. */
    public List<Long> copies() {
        return all(/* copies= */ true).stream().map(Opening::bytes).toList();
    }

    /** Returns how many copies a peer may read now. */
    public long openCopies() {
        return all(/* copies= */ true).stream().filter(Opening::isOpen).count();
    }

    private synchronized List<Opening> all(boolean copies) {
        return opened.stream().filter(opening -> opening.isCopy == copies).toList();
    }

    /** The port closes: no peer reads any more. */
    @Override
    public synchronized void close() {
        opened.forEach(Opening::closeNow);
    }

    /** Memory that a peer may read. */
    private final class Opening implements MemoryWindow.Opening {
        private final Lease lease;
        private final long bytes;
        private final boolean isCopy;
        private final RegisteredRange range;
        private volatile boolean isClosing;
        private boolean isClosed;

        Opening(Lease lease, long bytes, boolean isCopy) {
            this.lease = lease;
            this.bytes = bytes;
            this.isCopy = isCopy;
            this.range = new OpenRange(ranges.apply(lease), this);
            lease.posted(1);
        }

        Lease lease() {
            return lease;
        }

        long bytes() {
            return bytes;
        }

        boolean isOpen() {
            return !isClosing;
        }

        @Override
        public RegisteredRange range() {
            return range;
        }

        @Override
        public void close() {
            isClosing = true;
            control.execute(this::closeNow);
        }

        private synchronized void closeNow() {
            isClosing = true;
            if (!isClosed) {
                isClosed = true;
                lease.completed(1);
            }
        }
    }

    /** Memory as a peer reads it. */
    private record OpenRange(RegisteredRange all, Opening opening) implements RegisteredRange {
        @Override
        public long address() {
            return all.address();
        }

        @Override
        public long bytes() {
            return all.bytes();
        }

        @Override
        public int localKey(long offset) {
            return all.localKey(offset);
        }

        @Override
        public int remoteKey(long offset) {
            return all.remoteKey(offset);
        }

        @Override
        public long bytesToRegionEnd(long offset) {
            return all.bytesToRegionEnd(offset);
        }

        @Override
        public ByteBuffer slice(long offset, int length) {
            if (!opening.isOpen() || offset + length > opening.bytes()) {
                throw new AssertionError(length + " bytes at " + offset + " are read, and are not open");
            }
            return all.slice(offset, length);
        }

        @Override
        public void retain() {
            all.retain();
        }

        @Override
        public void release() {
            all.release();
        }

        @Override
        public void quarantine(String reason) {
            all.quarantine(reason);
        }

        @Override
        public void endQuarantine() {
            all.endQuarantine();
        }
    }
}
