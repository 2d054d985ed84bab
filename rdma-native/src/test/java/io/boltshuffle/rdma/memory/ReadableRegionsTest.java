package io.boltshuffle.rdma.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.boltshuffle.rdma.AccessFlag;
import io.boltshuffle.rdma.DeviceStuckException;
import io.boltshuffle.rdma.VerbsException;
import io.boltshuffle.rdma.link.LeasedRange;
import io.boltshuffle.rdma.link.ReadableRange;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReadableRegionsTest {

    private static final int SLAB_BYTES = 4 << 20;
    private static final int MAX_REGIONS = 2;
    private static final byte OLD = 7;

    private final Slab slab = TestSlabs.create(SLAB_BYTES);
    private final VirtualClock clock = new VirtualClock();
    private final LeasePool pool =
            new LeasePool(slab, SLAB_BYTES, new PoolLimits(SLAB_BYTES, 4, 16), clock, Runnable::run);
    private final FakeProtectionDomain domain = new FakeProtectionDomain();
    private final ReadableRegions regions = new ReadableRegions(domain, "mlx5_0", MAX_REGIONS);

    @AfterEach
    void closeSlab() throws SlabException {
        slab.close();
    }

    @Test
    void aKeyOpensOneLeaseForReadingAndNothingElse() throws VerbsException {
        Lease lease = lease(100_000);
        ReadableRegions.Region region = regions.open(lease);

        assertThat(domain.asked)
                .containsExactly(new FakeProtectionDomain.Asked(
                        lease.address(), 25L * Lease.FRAME_BYTES, Set.of(AccessFlag.REMOTE_READ)));
        assertThat(region.remoteKey()).isEqualTo(domain.open.get(0).remoteKey());

        region.close();
        lease.release();
        pool.close();
    }

    /** The end of the last frame is registered, too. */
    @Test
    void whatOthersLeftInMemoryIsOverwrittenBeforeAPeerMayReadIt() throws VerbsException {
        ByteBuffer all = slab.view(0, SLAB_BYTES);
        while (all.hasRemaining()) {
            all.put(OLD);
        }
        Lease lease = lease((2 << 20) + 100);
        regions.open(lease);

        int registered = (int) domain.asked.get(0).length();
        assertThat(slab.view(lease.offset(), registered)).isEqualTo(ByteBuffer.allocate(registered));
        assertThat(slab.view(lease.offset() + registered, 1).get()).isEqualTo(OLD);

        regions.close();
        lease.release();
        pool.close();
    }

    /** A peer reads to the end of the last byte's frame, and no further. */
    @Test
    void theBeginningOfALeaseIsOpenedAsItIs() throws VerbsException {
        Lease lease = lease(100_000);
        lease.view(0, 1).put(OLD);

        regions.openAsItIs(lease, Lease.FRAME_BYTES + 1);

        assertThat(domain.asked)
                .containsExactly(new FakeProtectionDomain.Asked(
                        lease.address(), 2L * Lease.FRAME_BYTES, Set.of(AccessFlag.REMOTE_READ)));
        assertThat(lease.view(0, 1).get()).isEqualTo(OLD);
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> regions.openAsItIs(lease, 100_001));
        regions.close();
        lease.release();
        pool.close();
    }

    @Test
    void memoryGoesBackOnlyOnceItIsDeregistered() throws VerbsException {
        Lease lease = lease(1 << 20);
        ReadableRegions.Region region = regions.open(lease);

        lease.release();
        assertThat(lease.state()).isEqualTo(LeaseState.DRAINING);
        region.close();
        region.close();

        assertThat(lease.state()).isEqualTo(LeaseState.RETURNED);
        assertThat(domain.closed).hasSize(1);
        assertThat(domain.open).isEmpty();
        pool.close();
    }

    /** A READ of a region that is gone would end the peer's queue pair. */
    @Test
    void aLinksHoldIsWaitedForBeforeARangeIsClosed() throws VerbsException {
        Lease lease = lease(1 << 20);
        try (SlabRegistration registration = SlabRegistration.register(
                slab, new FakeProtectionDomain(), "mlx5_0", RegistrationRequest.forSendMode())) {
            ReadableRange range = new ReadableRange(new LeasedRange(lease, registration), regions.open(lease));
            AtomicInteger closed = new AtomicInteger();
            range.retain();
            range.retain();

            range.whenLetGo(closed::incrementAndGet);
            range.release();
            assertThat(closed).hasValue(0);
            range.quarantine("the test says so");
            assertThat(closed).hasValue(1);
            assertThatExceptionOfType(IllegalStateException.class).isThrownBy(range::retain);
            range.whenLetGo(closed::incrementAndGet);
            assertThat(closed).hasValue(2);

            range.endQuarantine();
            regions.close();
            lease.release();
            pool.close();
        }
    }

    @Test
    void memoryThatIsNotDeregisteredIsQuarantinedAndCounted() throws VerbsException {
        Lease stuck = lease(1 << 20);
        Lease fine = lease(1 << 20);
        regions.open(stuck);
        regions.open(fine);
        domain.refusesToCloseKey = domain.open.get(0).localKey();

        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(regions::close)
                .withMessageContaining("EBUSY");

        assertThat(stuck.state()).isEqualTo(LeaseState.QUARANTINED);
        assertThat(slab.leakedRegions()).isEqualTo(1);
        fine.release();
        assertThat(fine.state()).isEqualTo(LeaseState.RETURNED);
        endQuarantine(stuck);
    }

    @Test
    void memoryThatIsDeregisteredLateLeavesQuarantine() throws VerbsException {
        CompletableFuture<Boolean> call = new CompletableFuture<>();
        Lease lease = lease(1 << 20);
        ReadableRegions.Region region = regions.open(lease);
        domain.hangsInClose = call;
        assertThatExceptionOfType(DeviceStuckException.class).isThrownBy(region::close);
        lease.release();
        assertThat(lease.state()).isEqualTo(LeaseState.QUARANTINED);

        call.complete(true);

        assertThat(lease.state()).isEqualTo(LeaseState.RETURNED);
        assertThat(slab.leakedRegions()).isZero();
        pool.close();
    }

    @Test
    void memoryWhoseDeregistrationFailsLateStaysInQuarantine() throws VerbsException {
        CompletableFuture<Boolean> call = new CompletableFuture<>();
        Lease lease = lease(1 << 20);
        ReadableRegions.Region region = regions.open(lease);
        domain.hangsInClose = call;
        assertThatExceptionOfType(DeviceStuckException.class).isThrownBy(region::close);

        call.completeExceptionally(new VerbsException("ibv_dereg_mr: EBUSY", "ibv_dereg_mr", 16));

        assertThat(lease.state()).isEqualTo(LeaseState.QUARANTINED);
        endQuarantine(lease);
    }

    @Test
    void memoryWhoseRegistrationHangsIsQuarantinedAndCounted() {
        domain.hangsAtRequest = 1;
        Lease lease = lease(1 << 20);

        assertThatExceptionOfType(DeviceStuckException.class).isThrownBy(() -> regions.open(lease));

        assertThat(lease.state()).isEqualTo(LeaseState.QUARANTINED);
        assertThat(slab.leakedRegions()).isEqualTo(1);
        endQuarantine(lease);
    }

    @Test
    void memoryWhoseRegistrationBreaksIsQuarantinedAndCounted() {
        domain.breaksAtRequest = 1;
        Lease lease = lease(1 << 20);

        assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> regions.open(lease));

        assertThat(lease.state()).isEqualTo(LeaseState.QUARANTINED);
        assertThat(slab.leakedRegions()).isEqualTo(1);
        endQuarantine(lease);
    }

    @Test
    void aRefusedRegistrationLeavesTheLeaseAsItWas() {
        domain.maxRegionBytes = 4096;
        Lease lease = lease(1 << 20);

        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> regions.open(lease))
                .withMessageContaining("EINVAL");

        assertThat(posted(lease)).isZero();
        lease.release();
        pool.close();
    }

    @Test
    void thereAreNotMoreRegionsThanAllowedAndNoneAfterTheEnd() throws VerbsException {
        Lease lease = lease(1 << 20);
        regions.open(lease);
        regions.open(lease);

        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> regions.open(lease))
                .withMessageContaining("2 memory regions that a peer may read already");
        assertThat(regions.isClosed()).isFalse();
        regions.close();
        assertThat(regions.isClosed()).isTrue();
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> regions.open(lease))
                .withMessageContaining("has ended");

        assertThat(domain.open).isEmpty();
        lease.release();
        pool.close();
    }

    private Lease lease(long bytes) {
        return pool.tryAcquire(new LeaseOwner("test"), bytes).orElseThrow();
    }

    private int posted(Lease lease) {
        return pool.ledger().outstanding().stream()
                .filter(status -> status.leaseId() == lease.id())
                .mapToInt(LeaseStatus::posted)
                .sum();
    }

    /** Only a test knows that nothing reads the memory. */
    private void endQuarantine(Lease lease) {
        lease.release();
        assertThat(lease.state()).isEqualTo(LeaseState.QUARANTINED);
        lease.releaseAfterQueuePairDestroyed(posted(lease));
        pool.close();
    }
}
