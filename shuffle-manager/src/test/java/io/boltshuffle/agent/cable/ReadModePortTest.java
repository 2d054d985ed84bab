package io.boltshuffle.agent.cable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.boltshuffle.agent.base.LoopClock;
import io.boltshuffle.conf.Settings;
import io.boltshuffle.rdma.AccessFlag;
import io.boltshuffle.rdma.Availability;
import io.boltshuffle.rdma.CompletionQueue;
import io.boltshuffle.rdma.Device;
import io.boltshuffle.rdma.DeviceLimits;
import io.boltshuffle.rdma.GidEntry;
import io.boltshuffle.rdma.LinkLayer;
import io.boltshuffle.rdma.MemoryRegion;
import io.boltshuffle.rdma.PortAttributes;
import io.boltshuffle.rdma.PortState;
import io.boltshuffle.rdma.ProtectionDomain;
import io.boltshuffle.rdma.QueuePair;
import io.boltshuffle.rdma.QueuePairRequest;
import io.boltshuffle.rdma.VerbsException;
import io.boltshuffle.rdma.VerbsProvider;
import io.boltshuffle.rdma.link.LinkDevice;
import io.boltshuffle.rdma.link.LinkFailure;
import io.boltshuffle.rdma.link.LinkListener;
import io.boltshuffle.rdma.link.LinkReport;
import io.boltshuffle.rdma.link.LinkState;
import io.boltshuffle.rdma.link.MemoryWindow;
import io.boltshuffle.rdma.memory.Lease;
import io.boltshuffle.rdma.memory.LeaseOwner;
import io.boltshuffle.rdma.memory.LeasePool;
import io.boltshuffle.rdma.memory.LeaseState;
import io.boltshuffle.rdma.memory.PoolLimits;
import io.boltshuffle.rdma.memory.RegistrationRequest;
import io.boltshuffle.rdma.memory.Slab;
import io.boltshuffle.rdma.memory.SlabLocation;
import io.boltshuffle.rdma.memory.SlabRegistration;
import io.boltshuffle.testing.SimLoop;
import io.boltshuffle.wire.PortName;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shows what a port registers in read mode, and with which rights. */
class ReadModePortTest {

    private static final int SLAB_BYTES = 16 << 20;
    private static final int SCRATCH_BYTES = SLAB_BYTES / 16;
    private static final long TIMEOUT_SECONDS = 20;
    private static final PortName PORT = new PortName("mlx5_0", 1);

    private final RecordingProvider provider = new RecordingProvider();
    private final Slab slab;
    private final LeasePool pool;

    ReadModePortTest(@TempDir Path directory) throws Exception {
        slab = Slab.create(SlabLocation.file(directory.resolve("slab")), SLAB_BYTES);
        SimLoop loop = new SimLoop();
        pool = new LeasePool(slab, SLAB_BYTES, new PoolLimits(SLAB_BYTES, 4, 16), new LoopClock(loop), Runnable::run);
    }

    /** Pool and slab refuse to close while anything is out. */
    @AfterEach
    void close() throws Exception {
        pool.close();
        slab.close();
    }

    @Test
    void noPeerMayReadTheSlabAndEachLinksCalibrationIsARegionOfItsOwn() throws Exception {
        PortUnit unit = unit("read");
        Ended listener = new Ended();

        ActiveLink link = unit.open(1, message -> {}, listener).get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        assertThat(link.isRead()).isTrue();
        link.link().onChannelLost("the test ends it");
        listener.ended.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        unit.close();

        assertThat(provider.regions).hasSize(2);
        Region base = provider.regions.get(0);
        assertThat(base.length).isEqualTo(SLAB_BYTES);
        assertThat(base.access).containsExactly(AccessFlag.LOCAL_WRITE);
        Region scratch = provider.regions.get(1);
        assertThat(scratch.length).isEqualTo(SCRATCH_BYTES);
        assertThat(scratch.access).containsExactly(AccessFlag.REMOTE_READ);
        assertThat(provider.regions).noneMatch(region -> region.isOpen);
    }

    /** Once for all peers of the port, and only as far as the copy goes. */
    @Test
    void aCopyIsARegionOfItsOwnUntilItIsClosed() throws Exception {
        Lease copy = pool.tryAcquire(new LeaseOwner("the copy"), 100_000).orElseThrow();
        try (LinkDevice device = LinkDevice.open(provider, PORT.device(), PORT.port(), Runnable::run);
                SlabRegistration registration = registration(device);
                ReadableMemory readable = ReadableMemory.of(PORT, device, registration)) {
            MemoryWindow.Opening opening = readable.open(copy, 5_000).orElseThrow();

            Region region = provider.regions.get(1);
            assertThat(region.length).isEqualTo(2 * 4096);
            assertThat(region.access).containsExactly(AccessFlag.REMOTE_READ);
            copy.release();
            assertThat(copy.state()).isEqualTo(LeaseState.DRAINING);
            opening.close();
            assertThat(region.isOpen).isFalse();
            assertThat(copy.state()).isEqualTo(LeaseState.RETURNED);
        }
    }

    /** Closes copies that were not closed before. */
    @Test
    void aPortThatClosesTakesWhatItsPeersMayReadAway() throws Exception {
        Lease copy = pool.tryAcquire(new LeaseOwner("the copy"), 100_000).orElseThrow();
        try (LinkDevice device = LinkDevice.open(provider, PORT.device(), PORT.port(), Runnable::run);
                SlabRegistration registration = registration(device)) {
            ReadableMemory readable = ReadableMemory.of(PORT, device, registration);
            assertThat(readable.open(copy, 5_000)).isPresent();

            readable.close();

            assertThat(provider.regions.get(1).isOpen).isFalse();
            assertThat(readable.open(copy, 5_000)).as("it is closed").isEmpty();
        }
        copy.release();
        assertThat(copy.state()).isEqualTo(LeaseState.RETURNED);
    }

    /** The device has 100 regions, of which copies get a quarter. */
    @Test
    void moreCopiesThanThereAreRegionsForAreNotOpened() throws Exception {
        Lease copy = pool.tryAcquire(new LeaseOwner("the copy"), 100_000).orElseThrow();
        try (LinkDevice device = LinkDevice.open(provider, PORT.device(), PORT.port(), Runnable::run);
                SlabRegistration registration = registration(device);
                ReadableMemory readable = ReadableMemory.of(PORT, device, registration)) {
            for (int i = 0; i < 25; i++) {
                assertThat(readable.open(copy, 5_000)).isPresent();
            }

            assertThat(readable.open(copy, 5_000)).isEmpty();
        }
        copy.release();
    }

    private SlabRegistration registration(LinkDevice device) throws VerbsException {
        return SlabRegistration.register(
                slab, device.protectionDomain(), PORT.device(), RegistrationRequest.forReadersOwnUse());
    }

    @Test
    void nothingIsLeftWhereTheRegionForCalibrationIsRefused() throws Exception {
        provider.refusedAccess = Set.of(AccessFlag.REMOTE_READ);
        PortUnit unit = unit("read");

        assertThatThrownBy(() -> unit.open(1, message -> {}, new Ended()).get(TIMEOUT_SECONDS, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasMessageContaining("refused by the test");
        unit.close();

        assertThat(provider.regions).noneMatch(region -> region.isOpen);
    }

    @Test
    void linksThatSendRegisterTheSlabOnly() throws Exception {
        PortUnit unit = unit("send");
        Ended listener = new Ended();

        ActiveLink link = unit.open(1, message -> {}, listener).get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        link.link().onChannelLost("the test ends it");
        listener.ended.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        unit.close();

        assertThat(link.isRead()).isFalse();
        assertThat(provider.regions).hasSize(1);
    }

    private PortUnit unit(String mode) {
        Settings settings = Settings.parse(Map.of("spark.boltshuffle.agent.linkMode", mode));
        return new PortUnit(
                PORT,
                new PortUnit.Parts(provider, slab, pool, new ScratchBudget(pool), settings, InstantSource.system()),
                new PortUnit.Owner() {
                    @Override
                    public boolean isThere(PortName port) {
                        return true;
                    }

                    @Override
                    public void onEnded(PortUnit unit) {
                        throw new AssertionError("a port that is there ended");
                    }
                });
    }

    private static final class Ended implements LinkListener {
        private final CompletableFuture<LinkState> ended = new CompletableFuture<>();

        @Override
        public void onUp(LinkReport report) {
            throw new AssertionError("a link without queue pairs came up");
        }

        @Override
        public void onDown(@Nullable LinkFailure failure) {
            // Its end is what counts.
        }

        @Override
        public void onEnded(LinkState end) {
            ended.complete(end);
        }
    }

    private static final class Region implements MemoryRegion {
        private final long length;
        private final Set<AccessFlag> access;
        private volatile boolean isOpen = true;

        Region(long length, Set<AccessFlag> access) {
            this.length = length;
            this.access = access;
        }

        @Override
        public int localKey() {
            return 1;
        }

        @Override
        public int remoteKey() {
            return 2;
        }

        @Override
        public void close() {
            isOpen = false;
        }
    }

    /** A device that registers memory and makes no queue pairs. */
    private static final class RecordingProvider implements VerbsProvider {
        private final List<Region> regions = new CopyOnWriteArrayList<>();
        private Set<AccessFlag> refusedAccess = Set.of();

        @Override
        public String name() {
            return "recording";
        }

        @Override
        public Availability availability() {
            throw new UnsupportedOperationException("a port does not ask");
        }

        @Override
        public List<String> deviceNames() {
            return List.of(PORT.device());
        }

        @Override
        public Device open(String deviceName) {
            return new RecordingDevice();
        }

        private final class RecordingDevice implements Device, ProtectionDomain {
            @Override
            public String name() {
                return PORT.device();
            }

            @Override
            public DeviceLimits limits() {
                return new DeviceLimits(SLAB_BYTES, 1, 16, 1, 1, 33, 100, 1, 1);
            }

            @Override
            public PortAttributes queryPort(int port) {
                return new PortAttributes(PortState.ACTIVE, 5, 1, 1 << 30, 0, LinkLayer.ETHERNET, 100);
            }

            @Override
            public List<GidEntry> gids(int port) {
                return List.of();
            }

            @Override
            public ProtectionDomain allocateProtectionDomain() {
                return this;
            }

            @Override
            public CompletionQueue createCompletionQueue(int entries) throws VerbsException {
                throw new VerbsException("no queues here", "ibv_create_cq", 12);
            }

            @Override
            public MemoryRegion register(long address, long length, Set<AccessFlag> access) throws VerbsException {
                if (access.equals(refusedAccess)) {
                    throw new VerbsException("refused by the test", "ibv_reg_mr", 22);
                }
                Region region = new Region(length, access);
                regions.add(region);
                return region;
            }

            @Override
            public QueuePair createQueuePair(QueuePairRequest request) {
                throw new UnsupportedOperationException("no queues here");
            }

            @Override
            public void close() {
                // Nothing of it stays.
            }
        }
    }
}
