package io.boltshuffle.rdma.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.boltshuffle.rdma.CompletionQueue;
import io.boltshuffle.rdma.DeviceStuckException;
import io.boltshuffle.rdma.ProtectionDomain;
import io.boltshuffle.rdma.QueuePair;
import io.boltshuffle.rdma.QueuePairRequest;
import io.boltshuffle.rdma.QueuePairType;
import io.boltshuffle.rdma.VerbsException;
import io.boltshuffle.rdma.memory.Lease;
import io.boltshuffle.rdma.memory.LeaseOwner;
import io.boltshuffle.rdma.memory.LeasePool;
import io.boltshuffle.rdma.memory.LeaseState;
import io.boltshuffle.rdma.memory.PoolClock;
import io.boltshuffle.rdma.memory.PoolLimits;
import io.boltshuffle.rdma.memory.ReadableRegions;
import io.boltshuffle.rdma.memory.RegistrationRequest;
import io.boltshuffle.rdma.memory.Slab;
import io.boltshuffle.rdma.memory.SlabLocation;
import io.boltshuffle.rdma.memory.SlabRegistration;
import io.boltshuffle.rdma.verbs.Errno.Platform;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A control call hangs, others are refused for it, and then it returns after all: nothing is left of what was to go.
 */
@Timeout(60)
@Tag("slow")
class LateReturnTest {

    private static final int SLAB_BYTES = 1 << 20;
    private static final Duration SHORT = Duration.ofMillis(500);

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final HangingLibrary library = new HangingLibrary();
    private final Slab slab;
    private final LeasePool pool;
    private final JnaDevice device;
    private final ProtectionDomain domain;
    private final ReadableRegions regions;

    LateReturnTest(@TempDir Path directory) throws Exception {
        slab = Slab.create(SlabLocation.file(directory.resolve("slab")), SLAB_BYTES);
        pool = new LeasePool(slab, SLAB_BYTES, new PoolLimits(SLAB_BYTES, 4, 16), PoolClock.of(timer), timer);
        LoadedLibrary loaded = new LoadedLibrary("fake", library.functions(), Platform.LINUX);
        device = new JnaDevice(loaded, new ControlThread("mlx5_0", SHORT), "mlx5_0", library.object());
        domain = device.allocateProtectionDomain();
        regions = new ReadableRegions(domain, "mlx5_0", 4);
    }

    /** All of the memory is back, so nothing keeps pool and slab from being closed. */
    @AfterEach
    void close() throws Exception {
        library.letGo();
        assertThat(slab.leakedRegions()).isZero();
        pool.close();
        slab.close();
        timer.shutdownNow();
    }

    @Test
    void memoryThatAPeerCouldReadComesBackWhenADestroyThatHungReturns() throws Exception {
        QueuePair pair = newPair();
        SlabRegistration registration =
                SlabRegistration.register(slab, domain, "mlx5_0", RegistrationRequest.forReadersOwnUse());
        Lease lease = lease();
        ReadableRegions.Region region = regions.open(lease);
        library.hangIn("ibv_destroy_qp");
        assertStuck(pair::close);
        assertStuck(region::close);
        assertStuck(registration::close);
        assertStuck(domain::close);
        lease.release();
        assertThat(lease.state()).isEqualTo(LeaseState.QUARANTINED);
        assertThat(slab.leakedRegions()).isEqualTo(2);
        assertThat(library.calls("ibv_dereg_mr")).isZero();

        library.letGo();

        await().untilAsserted(() -> {
            assertThat(lease.state()).isEqualTo(LeaseState.RETURNED);
            assertThat(slab.leakedRegions()).isZero();
            assertThat(library.calls("ibv_dealloc_pd")).isEqualTo(1);
        });
        pair.close();
        region.close();
        domain.close();
        assertThat(library.calls("ibv_destroy_qp")).isEqualTo(1);
        assertThat(library.calls("ibv_dereg_mr")).isEqualTo(2);
        assertThat(library.calls("ibv_dealloc_pd")).isEqualTo(1);
    }

    @Test
    void memoryThatIsRegisteredTooLateIsDeregisteredAndComesBack() throws Exception {
        Lease lease = lease();
        library.hangIn("ibv_reg_mr");
        assertStuck(() -> regions.open(lease));
        lease.release();
        assertThat(lease.state()).isEqualTo(LeaseState.QUARANTINED);
        assertThat(slab.leakedRegions()).isEqualTo(1);

        library.letGo();

        await().untilAsserted(() -> assertThat(lease.state()).isEqualTo(LeaseState.RETURNED));
        assertThat(library.calls("ibv_dereg_mr")).isEqualTo(1);
    }

    @Test
    void aSlabThatIsRegisteredTooLateIsDeregistered() throws Exception {
        library.hangIn("ibv_reg_mr");
        assertStuck(() -> SlabRegistration.register(slab, domain, "mlx5_0", RegistrationRequest.forReadersOwnUse()));
        assertThat(slab.leakedRegions()).isEqualTo(1);

        library.letGo();

        await().untilAsserted(() -> assertThat(slab.leakedRegions()).isZero());
        assertThat(library.calls("ibv_dereg_mr")).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"ibv_alloc_pd, ibv_dealloc_pd", "ibv_create_cq, ibv_destroy_cq", "ibv_create_qp, ibv_destroy_qp"})
    void whatIsMadeTooLateIsReleased(String maker, String release) {
        library.hangIn(maker);
        assertStuck(() -> {
            device.allocateProtectionDomain();
            newPair();
        });
        assertThat(library.calls(release)).isZero();

        library.letGo();

        await().untilAsserted(() -> assertThat(library.calls(release)).isEqualTo(1));
    }

    private static void assertStuck(ThrowingCallable action) {
        assertThatThrownBy(action).isInstanceOf(DeviceStuckException.class);
    }

    private Lease lease() {
        return pool.tryAcquire(new LeaseOwner("test"), 64 << 10).orElseThrow();
    }

    private QueuePair newPair() throws VerbsException {
        return newPair(device.createCompletionQueue(33));
    }

    private QueuePair newPair(CompletionQueue queue) throws VerbsException {
        return domain.createQueuePair(new QueuePairRequest(QueuePairType.RELIABLE_CONNECTED, queue, queue, 16, 16));
    }
}
