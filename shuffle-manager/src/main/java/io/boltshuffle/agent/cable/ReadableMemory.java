package io.boltshuffle.agent.cable;

import io.boltshuffle.rdma.VerbsException;
import io.boltshuffle.rdma.link.LeasedRange;
import io.boltshuffle.rdma.link.LinkDevice;
import io.boltshuffle.rdma.link.MemoryWindow;
import io.boltshuffle.rdma.link.ReadableRange;
import io.boltshuffle.rdma.link.RegisteredRange;
import io.boltshuffle.rdma.memory.Lease;
import io.boltshuffle.rdma.memory.ReadableRegions;
import io.boltshuffle.rdma.memory.SlabRegistration;
import io.boltshuffle.wire.PortName;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Memory that the peers of one open port may read: leases that are open to the peer of one link, and map outputs that
 * are open to all.
 *
 * <p><b>Threads:</b> any; {@link #open} and {@link #close} make control calls.
 *
 * <p><b>Ownership:</b> closed after the port's links have ended, before the registration.
 */
final class ReadableMemory implements MemoryWindow.OfPort, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ReadableMemory.class);

    /** The most outputs that a port has open. */
    private static final int MOST_OUTPUTS = 4096;

    /** The part of a device's regions that outputs may take: staging needs some, and so do other programs. */
    private static final int PART_OF_REGIONS = 4;

    private final PortName port;
    private final ReadableRegions outputs;
    private final SlabRegistration registration;
    private final Executor control;
    private final AtomicBoolean wasRefused = new AtomicBoolean();

    private ReadableMemory(PortName port, ReadableRegions outputs, SlabRegistration registration, Executor control) {
        this.port = port;
        this.outputs = outputs;
        this.registration = registration;
        this.control = control;
    }

    /**
     * Begins with none.
     *
     * @throws VerbsException if the device does not tell its limits
     */
    static ReadableMemory of(PortName port, LinkDevice device, SlabRegistration registration) throws VerbsException {
        int most = Math.min(MOST_OUTPUTS, device.device().limits().maxMemoryRegions() / PART_OF_REGIONS);
        return new ReadableMemory(
                port,
                new ReadableRegions(device.protectionDomain(), port.device(), most),
                registration,
                device.control());
    }

    /** Returns the window of one link, which keeps its leases in these regions. */
    MemoryWindow windowOf(ReadableRegions ofLink) {
        return new MemoryWindow() {
            @Override
            public Opening open(Lease lease) throws VerbsException {
                return new RegionOpening(rangeOf(lease, ofLink), control);
            }

            @Override
            public OfPort ofPort() {
                return ReadableMemory.this;
            }
        };
    }

    /** Opens a lease to the peer of one link, until that link's regions are closed. */
    ReadableRange rangeOf(Lease lease, ReadableRegions ofLink) throws VerbsException {
        return new ReadableRange(new LeasedRange(lease, registration), ofLink.open(lease));
    }

    @Override
    public String port() {
        return port.toString();
    }

    @Override
    public Optional<MemoryWindow.Opening> open(Lease lease, long bytes) {
        try {
            ReadableRange range =
                    new ReadableRange(new LeasedRange(lease, registration), outputs.openAsItIs(lease, bytes));
            return Optional.of(new RegionOpening(range, control));
        } catch (VerbsException | IllegalStateException e) { // the latter where the memory is in quarantine
            boolean isExpected = outputs.isClosed(); // the port closed under a pull
            if (!isExpected && wasRefused.compareAndSet(false, true)) {
                LOG.warn(
                        "{}: some map outputs in memory are copied for peers that could read them: {}",
                        port,
                        e.getMessage());
            } else {
                LOG.debug("{}: {} is copied for peers", port, lease, e);
            }
            return Optional.empty();
        }
    }

    @Override
    public void close() throws VerbsException {
        outputs.close();
    }

    /** A lease that peers may read until it is closed, on the port's control thread. */
    private static final class RegionOpening implements MemoryWindow.Opening {
        private final ReadableRange range;
        private final Executor control;

        RegionOpening(ReadableRange range, Executor control) {
            this.range = range;
            this.control = control;
        }

        @Override
        public RegisteredRange range() {
            return range;
        }

        @Override
        public void close() {
            range.whenLetGo(this::closeSoon);
        }

        private void closeSoon() {
            try {
                control.execute(this::closeNow);
            } catch (RejectedExecutionException e) {
                // The port closed, and closed this before.
                LOG.debug("no control thread left to close {}", range);
            }
        }

        private void closeNow() {
            try {
                range.region().close();
            } catch (VerbsException e) {
                LOG.error("memory is leaked on purpose: a peer may read it still", e);
            }
        }
    }
}
