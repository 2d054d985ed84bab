package io.boltshuffle.rdma.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.rdma.CompletionStatus;
import io.boltshuffle.rdma.QueuePairType;
import io.boltshuffle.rdma.VerbsException;
import io.boltshuffle.rdma.memory.Lease;
import io.boltshuffle.rdma.memory.LeaseOwner;
import io.boltshuffle.rdma.memory.LeasePool;
import io.boltshuffle.rdma.memory.PoolClock;
import io.boltshuffle.rdma.memory.PoolLimits;
import io.boltshuffle.rdma.memory.ReadableRegions;
import io.boltshuffle.rdma.memory.RegistrationRequest;
import io.boltshuffle.rdma.memory.Slab;
import io.boltshuffle.rdma.memory.SlabLocation;
import io.boltshuffle.rdma.memory.SlabRegistration;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Shows what a peer gets over the virtual cable that reads by hand with keys that it was given. */
@Timeout(60)
class RemoteKeyTest {

    private static final int SLAB_BYTES = 1 << 20;
    private static final int AREA_BYTES = 64 << 10;
    private static final byte SECRET = 42;

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final Slab slab;
    private final TestEndpoint reader;
    private final TestEndpoint server;
    private final SlabRegistration registration;
    private final ReadableRegions regions;
    private final LeasePool pool;
    private final Lease area;
    private final Lease another;

    RemoteKeyTest(@TempDir Path directory) throws Exception {
        VirtualFabric fabric =
                VirtualFabric.of(directory, "profile apple", "mode rc", "host a", "host b", "cable c a:en5 b:en6");
        reader = new TestEndpoint(fabric.provider("a"), "rdma_en5", QueuePairType.RELIABLE_CONNECTED, AREA_BYTES);
        server = new TestEndpoint(fabric.provider("b"), "rdma_en6", QueuePairType.RELIABLE_CONNECTED, AREA_BYTES);
        slab = Slab.create(SlabLocation.file(directory.resolve("slab")), SLAB_BYTES);
        ByteBuffer all = slab.view(0, SLAB_BYTES);
        while (all.hasRemaining()) {
            all.put(SECRET);
        }
        registration =
                SlabRegistration.register(slab, server.domain, "rdma_en6", RegistrationRequest.forReadersOwnUse());
        regions = new ReadableRegions(server.domain, "rdma_en6", 4);
        pool = new LeasePool(slab, SLAB_BYTES, new PoolLimits(SLAB_BYTES, 4, 16), PoolClock.of(timer), timer);
        area = pool.tryAcquire(new LeaseOwner("test"), AREA_BYTES).orElseThrow();
        another = pool.tryAcquire(new LeaseOwner("test"), AREA_BYTES).orElseThrow();
    }

    @BeforeEach
    void connect() throws VerbsException {
        reader.initialize();
        server.initialize();
        reader.connect(server.address());
        server.connect(reader.address());
    }

    /** The pool refuses to close while anything is out. */
    @AfterEach
    void close() throws Exception {
        regions.close();
        area.release();
        another.release();
        pool.close();
        registration.close();
        reader.close();
        server.close();
        slab.close();
        timer.shutdownNow();
    }

    @Test
    void aPeerReadsWhatIsInItsAreaAndNothingOfWhatWasThereBefore() throws Exception {
        int key = regions.open(area).remoteKey();
        area.view(0, 5).put(new byte[] {1, 2, 3, 4, 5});

        assertThat(read(area.address(), AREA_BYTES, key)).isEqualTo(CompletionStatus.SUCCESS);

        ByteBuffer wanted = ByteBuffer.allocate(AREA_BYTES).put(new byte[] {1, 2, 3, 4, 5});
        assertThat(reader.bytes.slice(0, AREA_BYTES)).isEqualTo(wanted.rewind());
    }

    @Test
    void aKeyDoesNotOpenWhatLiesBesideItsArea() throws Exception {
        int key = regions.open(area).remoteKey();

        assertThat(read(area.address() + AREA_BYTES - 1, 2, key)).isEqualTo(CompletionStatus.REM_ACCESS_ERR);
    }

    /** From any byte on, because a peer's device does not ask for the beginning of a frame. */
    @Test
    void aKeyOfTheBeginningOfALeaseOpensThatAndNothingBehindIt() throws Exception {
        area.view(0, 8192).put(8191, (byte) 7);
        int key = regions.openAsItIs(area, 5_000).remoteKey();

        assertThat(read(area.address() + 4_001, 4_191, key)).isEqualTo(CompletionStatus.SUCCESS);
        assertThat(reader.bytes.get(4_190)).isEqualTo((byte) 7);
        assertThat(reader.bytes.get(0)).isEqualTo(SECRET);
        assertThat(read(area.address() + 8_191, 2, key)).isEqualTo(CompletionStatus.REM_ACCESS_ERR);
    }

    @Test
    void aKeyDoesNotOpenTheAreaOfAnotherPeer() throws Exception {
        int key = regions.open(area).remoteKey();
        regions.open(another);

        assertThat(read(another.address(), 4096, key)).isEqualTo(CompletionStatus.REM_ACCESS_ERR);
    }

    @Test
    void aKeyOpensNothingOnceItsAreaIsClosed() throws Exception {
        ReadableRegions.Region region = regions.open(area);
        assertThat(read(area.address(), 4096, region.remoteKey())).isEqualTo(CompletionStatus.SUCCESS);

        region.close();

        assertThat(read(area.address(), 4096, region.remoteKey())).isEqualTo(CompletionStatus.REM_ACCESS_ERR);
    }

    /** Even if a peer finds out the key. */
    @Test
    void theKeyOfTheSlabOpensNothing() throws Exception {
        assertThat(read(area.address(), 4096, registration.remoteKey(area.offset())))
                .isEqualTo(CompletionStatus.REM_ACCESS_ERR);
    }

    private CompletionStatus read(long address, int length, int key) throws Exception {
        reader.sends.addRead(1, reader.at(0), length, reader.region.localKey(), address, key);
        reader.queuePair.post(reader.sends);
        reader.awaitCompletions();
        return CompletionStatus.of(reader.completions.status(0));
    }
}
