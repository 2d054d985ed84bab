package io.boltshuffle.rdma.link;

import io.boltshuffle.rdma.VerbsProvider;
import io.boltshuffle.rdma.link.engine.LinkPoller;
import io.boltshuffle.rdma.memory.Lease;
import io.boltshuffle.rdma.memory.LeaseOwner;
import io.boltshuffle.rdma.memory.LeasePool;
import io.boltshuffle.rdma.memory.PoolClock;
import io.boltshuffle.rdma.memory.PoolLimits;
import io.boltshuffle.rdma.memory.RegistrationRequest;
import io.boltshuffle.rdma.memory.RoomForSlabs;
import io.boltshuffle.rdma.memory.Slab;
import io.boltshuffle.rdma.memory.SlabException;
import io.boltshuffle.rdma.memory.SlabLocation;
import io.boltshuffle.rdma.memory.SlabRegistration;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;

/** All that an owner of links has on one host: device, slab, registration, pool, poller, control thread. */
final class LinkHost implements AutoCloseable {

    static final int SCRATCH_BYTES = 16 << 20;

    private static final Path SHARED_MEMORY = Path.of("/dev/shm");
    private static final LeaseOwner OWNER = new LeaseOwner("test");

    private final ExecutorService control;
    private final ScheduledExecutorService timer;
    private final LinkDevice device;
    private final Slab slab;
    private final SlabRegistration registration;
    private final LeasePool pool;
    private final LinkPoller poller;
    private final String pollerName;
    private final Lease scratch;
    private final CalibrationHistory history = new CalibrationHistory();

    LinkHost(String name, VerbsProvider provider, String deviceName, LinkMode mode, long slabBytes) throws Exception {
        control = Executors.newSingleThreadExecutor(task -> new Thread(task, "test-control-" + name));
        timer = Executors.newSingleThreadScheduledExecutor(task -> new Thread(task, "test-timer-" + name));
        device = LinkDevice.open(provider, deviceName, 1, control);
        String slabName = "bolt-link-" + ProcessHandle.current().pid() + "-" + name;
        pollerName = "test-poller-" + name;
        slab = RoomForSlabs.create(SlabLocation.file(SHARED_MEMORY.resolve(slabName)), slabBytes);
        RegistrationRequest request =
                mode == LinkMode.SEND ? RegistrationRequest.forSendMode() : RegistrationRequest.forReadMode();
        registration = SlabRegistration.register(slab, device.protectionDomain(), deviceName, request);
        pool = new LeasePool(
                slab, registration.pieceBytes(), new PoolLimits(slabBytes, 64, 1024), PoolClock.of(timer), timer);
        poller = LinkPoller.start(pollerName);
        scratch = pool.tryAcquire(OWNER, SCRATCH_BYTES).orElseThrow();
    }

    LinkParts setup(OutOfBand channel, LinkListener listener, LinkOptions options, @Nullable Executor checksums) {
        return new LinkParts(
                device, range(scratch), channel, listener, options, history, checksums, new SecureRandom());
    }

    LinkDevice device() {
        return device;
    }

    LinkPoller poller() {
        return poller;
    }

    /** Returns whether the thread of the poller is alive. */
    boolean isPolling() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals(pollerName));
    }

    LeasePool pool() {
        return pool;
    }

    LeasedRange range(Lease lease) {
        return new LeasedRange(lease, registration);
    }

    /** Waits for memory if it must. */
    Lease lease(long bytes) throws Exception {
        return pool.acquireAsync(OWNER, bytes, System.nanoTime() + LinkPair.PATIENCE.toNanos())
                .get();
    }

    /** A lease with the bytes of a seed. */
    Lease leaseFilled(long bytes, long seed) throws Exception {
        Lease lease = lease(bytes);
        Content content = new Content(seed);
        for (long at = 0; at < bytes; at += Content.CHUNK) {
            int length = (int) Math.min(Content.CHUNK, bytes - at);
            lease.view(at, length).put(content.next(length));
        }
        return lease;
    }

    /** Ends everything. Fails if a lease is out that is not quarantined. */
    @Override
    public void close() throws IOException {
        scratch.release();
        try {
            poller.close();
        } catch (IllegalStateException e) {
            abandon();
            throw e;
        }
        registration.close();
        device.close();
        pool.close();
        slab.close();
        control.shutdownNow();
        timer.shutdownNow();
    }

    /** Closes the host as far as a device that is stuck, or memory in quarantine, allows it. */
    void abandon() throws SlabException {
        try {
            poller.close();
        } finally {
            control.shutdownNow();
            timer.shutdownNow();
            slab.unlink();
        }
    }
}
