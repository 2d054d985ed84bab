package io.boltshuffle.agent.cable;

import io.boltshuffle.rdma.VerbsException;
import io.boltshuffle.rdma.link.LeasedRange;
import io.boltshuffle.rdma.link.ReadableRange;
import io.boltshuffle.rdma.link.RegisteredRange;
import io.boltshuffle.rdma.memory.Lease;
import io.boltshuffle.rdma.memory.ReadableRegions;
import io.boltshuffle.rdma.memory.SlabRegistration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A lease that the peer of one link may read until it is closed, on the port's control thread. */
final class RegionOpening implements MemoryWindow.Opening {

    private static final Logger LOG = LoggerFactory.getLogger(RegionOpening.class);

    private final ReadableRange range;
    private final Executor control;

    private RegionOpening(ReadableRange range, Executor control) {
        this.range = range;
        this.control = control;
    }

    /** The window of one link. */
    static MemoryWindow window(ReadableRegions regions, SlabRegistration registration, Executor control) {
        return lease -> new RegionOpening(rangeOf(lease, regions, registration), control);
    }

    static ReadableRange rangeOf(Lease lease, ReadableRegions regions, SlabRegistration registration)
            throws VerbsException {
        return new ReadableRange(new LeasedRange(lease, registration), regions.open(lease));
    }

    @Override
    public RegisteredRange range() {
        return range;
    }

    @Override
    public void close() {
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
