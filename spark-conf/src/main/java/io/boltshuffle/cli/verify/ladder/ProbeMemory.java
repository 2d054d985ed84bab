package io.boltshuffle.cli.verify.ladder;

import io.boltshuffle.rdma.VerbsException;
import io.boltshuffle.rdma.link.LeasedRange;
import io.boltshuffle.rdma.link.LinkDevice;
import io.boltshuffle.rdma.link.LinkMode;
import io.boltshuffle.rdma.memory.Lease;
import io.boltshuffle.rdma.memory.LeaseOwner;
import io.boltshuffle.rdma.memory.LeasePool;
import io.boltshuffle.rdma.memory.PoolClock;
import io.boltshuffle.rdma.memory.PoolLimits;
import io.boltshuffle.rdma.memory.RegistrationRequest;
import io.boltshuffle.rdma.memory.Slab;
import io.boltshuffle.rdma.memory.SlabException;
import io.boltshuffle.rdma.memory.SlabLocation;
import io.boltshuffle.rdma.memory.SlabRegistration;
import java.io.IOException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/**
 * Shared memory as an agent would have it, small, and registered.
 *
 * <p><b>Ownership:</b> of slab, registration and pool. If a lease does not come back, the memory is left to the
 * process.
 */
final class ProbeMemory implements AutoCloseable {

    private static final LeaseOwner OWNER = new LeaseOwner("verify");

    private final Slab slab;
    private final SlabRegistration registration;
    private final ScheduledExecutorService timer;
    private final LeasePool pool;

    private ProbeMemory(Slab slab, SlabRegistration registration) {
        this.slab = slab;
        this.registration = registration;
        this.timer = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "bolt-verify-timer");
            thread.setDaemon(true);
            return thread;
        });
        this.pool = new LeasePool(
                slab, registration.pieceBytes(), new PoolLimits(slab.bytes(), 1, 64), PoolClock.of(timer), timer);
    }

    static ProbeMemory open(LinkDevice device, LinkMode mode, long bytes) throws SlabException, VerbsException {
        String name = "bolt-v-" + ProcessHandle.current().pid() + "-"
                + device.device().name();
        Slab slab = Slab.create(SlabLocation.preferred(name), bytes);
        try {
            // No other process maps it, and without a name it goes with this process, however that ends.
            slab.unlink();
            RegistrationRequest request =
                    mode == LinkMode.SEND ? RegistrationRequest.forSendMode() : RegistrationRequest.forReadMode();
            return new ProbeMemory(
                    slab,
                    SlabRegistration.register(
                            slab, device.protectionDomain(), device.device().name(), request));
        } catch (SlabException | VerbsException e) {
            slab.close();
            throw e;
        }
    }

    String describe() {
        return (slab.bytes() >> 20) + " MiB registered in " + registration.pieces() + " piece(s), access "
                + registration.access();
    }

    /** Returns the bytes that a link's own calibration may take: two fifths, 32 of the usual 80 MiB. */
    long scratchBytes() {
        return slab.bytes() * 2 / 5 / Lease.FRAME_BYTES * Lease.FRAME_BYTES;
    }

    /**
     * Returns the bytes that the stream moves at a time: 12 of the usual 80 MiB, or less where a device registers less
     * at once.
     */
    long transferBytes() {
        return Math.min(slab.bytes() * 3 / 20 / Lease.FRAME_BYTES * Lease.FRAME_BYTES, registration.pieceBytes());
    }

    /** Returns the most bytes under way at once, in whole MiB: 15, the most that 4095 frames hold, of the usual 80. */
    int windowBytes() {
        return (int) Math.min(15, (slab.bytes() >> 20) * 3 / 16) << 20;
    }

    Lease lease(long bytes) {
        return pool.tryAcquire(OWNER, bytes)
                .orElseThrow(() -> new IllegalStateException("the probe's memory is too small: " + pool.snapshot()));
    }

    LeasedRange range(Lease lease) {
        return new LeasedRange(lease, registration);
    }

    @Override
    public void close() throws IOException {
        timer.shutdown();
        try (slab) {
            pool.close();
            registration.close();
        }
    }
}
