package io.boltshuffle.rdma.memory;

import io.boltshuffle.rdma.AccessFlag;
import io.boltshuffle.rdma.DeviceStuckException;
import io.boltshuffle.rdma.MemoryRegion;
import io.boltshuffle.rdma.ProtectionDomain;
import io.boltshuffle.rdma.VerbsException;
import java.nio.ByteBuffer;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The memory that peers may read by RDMA READ: leases of one link's peer, or of all that share a device, each
 * registered as a memory region of its own.
 *
 * <p>The key of a region opens the whole region, so a region covers one lease, or its beginning, and nothing beside.
 * {@link SlabRegistration}, which covers all of the slab, allows no remote access in read mode.
 *
 * <p><b>Invariant:</b> what was in a lease before is overwritten before the peer may read it, unless the caller vouches
 * for what is there. A region holds its lease as posted work does, so the pool gets the memory back only after the
 * region is deregistered. If that fails, the memory is quarantined and the region is counted in {@link
 * Slab#leakedRegions()}, until the region is gone after all: deregistered late, or registered late and deregistered
 * then.
 *
 * <p><b>Threads:</b> any. Opening and closing are control calls, made one after the other, which may take long.
 *
 * <p><b>Ownership:</b> the owner of the links closes this object after they have ended, before the protection domain.
 */
public final class ReadableRegions implements AutoCloseable {

    private static final Set<AccessFlag> ACCESS = Set.of(AccessFlag.REMOTE_READ);

    /** The bytes that are overwritten at a time, because a lease may be larger than a buffer. */
    private static final int CLEAR_BYTES = 1 << 20;

    private static final byte[] ZEROS = new byte[CLEAR_BYTES];

    private final ProtectionDomain domain;
    private final String device;
    private final int maxRegions;
    private final Set<Region> open = new LinkedHashSet<>();
    private boolean closed;

    /**
     * Creates an empty set of regions.
     *
     * @param device name for messages
     * @param maxRegions how many may be open at once
     */
    public ReadableRegions(ProtectionDomain domain, String device, int maxRegions) {
        this.domain = domain;
        this.device = device;
        this.maxRegions = maxRegions;
    }

    /** A lease that the peer may read until this is closed. */
    public final class Region implements AutoCloseable {
        private final Lease lease;
        private final MemoryRegion region;

        private Region(Lease lease, MemoryRegion region) {
            this.lease = lease;
            this.region = region;
        }

        /** Returns the {@code rkey} for all that is open of the lease. */
        public int remoteKey() {
            return region.remoteKey();
        }

        /**
         * Ends the peer's right to read. Closing twice is harmless.
         *
         * @throws VerbsException if the device refused; the memory is quarantined then
         */
        @Override
        public void close() throws VerbsException {
            closeRegion(this);
        }
    }

    /**
     * Overwrites a lease, and lets the peer read it.
     *
     * @throws DeviceStuckException if the device does not answer; the lease is quarantined if the device may have
     * registered it
     * @throws VerbsException if the device refuses, there are too many regions, or the link has ended
     */
    public Region open(Lease lease) throws VerbsException {
        long all = (long) lease.frames() * Lease.FRAME_BYTES;
        clear(lease, all);
        return register(lease, all);
    }

    /**
     * Lets peers read the beginning of a lease as it is.
     *
     * @param bytes which peers may read, to the end of the last one's frame
     * @throws DeviceStuckException as {@link #open(Lease)}
     * @throws VerbsException as {@link #open(Lease)}
     */
    public Region openAsItIs(Lease lease, long bytes) throws VerbsException {
        if (bytes < 1 || bytes > lease.bytes()) {
            throw new IndexOutOfBoundsException(bytes + " bytes of " + lease);
        }
        return register(lease, (long) Lease.framesOf(bytes) * Lease.FRAME_BYTES);
    }

    /** Returns whether nothing can be opened any more, because the links have ended. */
    public synchronized boolean isClosed() {
        return closed;
    }

    private synchronized Region register(Lease lease, long bytes) throws VerbsException {
        if (closed) {
            throw new VerbsException("the link on " + device + " has ended", "ibv_reg_mr", 0);
        }
        if (open.size() >= maxRegions) {
            throw new VerbsException(
                    device + " has " + maxRegions + " memory regions that a peer may read already", "ibv_reg_mr", 0);
        }
        lease.posted(1);
        Region region = new Region(lease, regionOf(lease, bytes));
        open.add(region);
        return region;
    }

    private static void clear(Lease lease, long bytes) {
        for (long at = 0; at < bytes; at += CLEAR_BYTES) {
            int length = (int) Math.min(CLEAR_BYTES, bytes - at);
            ByteBuffer part = lease.view(at, length);
            part.put(ZEROS, 0, length);
        }
    }

    private MemoryRegion regionOf(Lease lease, long bytes) throws VerbsException {
        try {
            return domain.register(lease.address(), bytes, ACCESS);
        } catch (VerbsException e) {
            if (e instanceof DeviceStuckException stuck && stuck.isUnderWay()) {
                lease.countLeakedRegion();
                lease.quarantine("its registration with " + device + " hangs, and may succeed yet");
                stuck.ifItIsUndoneLate(lease::leakedRegionIsGone);
            } else {
                lease.completed(1);
            }
            throw e;
        } catch (RuntimeException | Error e) {
            lease.countLeakedRegion();
            lease.quarantine("its registration with " + device + " broke, and may have succeeded: " + e);
            throw e;
        }
    }

    private synchronized void closeRegion(Region region) throws VerbsException {
        if (!open.remove(region)) {
            return;
        }
        try {
            region.region.close();
        } catch (VerbsException e) {
            region.lease.countLeakedRegion();
            region.lease.quarantine("a peer of " + device + " may read it still: " + e.getMessage());
            if (e instanceof DeviceStuckException stuck) {
                stuck.ifItSucceedsLate(region.lease::leakedRegionIsGone);
            }
            throw e;
        }
        region.lease.completed(1);
    }

    /**
     * Closes all regions, even if one fails, and opens none from then on. Closing twice is harmless.
     *
     * @throws VerbsException the first failure; the others are suppressed in it
     */
    @Override
    public synchronized void close() throws VerbsException {
        closed = true;
        VerbsException first = null;
        for (Region region : List.copyOf(open)) {
            try {
                closeRegion(region);
            } catch (VerbsException e) {
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
