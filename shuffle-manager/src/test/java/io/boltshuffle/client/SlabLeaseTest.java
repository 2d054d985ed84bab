package io.boltshuffle.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.boltshuffle.wire.BlockSlice;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Shows what releases and forgotten slices mean to a lease. */
class SlabLeaseTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final ClientCounters counters = new ClientCounters();
    private final AtomicInteger goneBack = new AtomicInteger();

    @Test
    void aLeaseGoesBackWithItsLastSliceInWhateverOrderTheyAreReleased() {
        SlabLease lease = lease(70);
        lease.releaseFrom(68);
        for (int slice = 0; slice < 68; slice++) {
            assertThat(goneBack.get()).isZero();
            lease.release(slice);
            lease.release(slice);
        }

        assertThat(goneBack.get()).isEqualTo(1);
        lease.releaseFrom(0);
        assertThat(goneBack.get()).isEqualTo(1);
        assertThat(counters.forgottenCount()).isZero();
    }

    @Test
    void slicesThatAreDroppedAreCountedAndTheLeaseGoesBackOnce() {
        List<FetchedBytes> dropped = slices(3);
        dropped.get(0).release();
        dropped.clear();

        awaitCollected();
        assertThat(goneBack.get()).isEqualTo(1);
        assertThat(counters.forgottenCount()).isEqualTo(2);
    }

    @Test
    void aSliceThatIsHeldKeepsTheLeaseThoughTheOthersAreDropped() {
        List<FetchedBytes> slices = slices(3);
        slices.remove(2);
        slices.remove(0);
        lease(1); // goes back when the collector has been at work
        awaitCollected();
        assertThat(goneBack.get()).isEqualTo(1);

        slices.remove(0).release();

        await().atMost(PATIENCE).until(() -> {
            System.gc();
            return goneBack.get() == 2;
        });
        assertThat(counters.forgottenCount()).isEqualTo(3);
    }

    private void awaitCollected() {
        await().atMost(PATIENCE).until(() -> {
            System.gc();
            return goneBack.get() > 0;
        });
    }

    private List<FetchedBytes> slices(int count) {
        FetchedBytes.Cut cut = new FetchedBytes.Cut(
                FetchedBytes.Arrival.inSlab(ByteBuffer.allocate(count), /* wantedBack= */ false, lease(count)));
        List<FetchedBytes> slices = new ArrayList<>();
        for (int slice = 0; slice < count; slice++) {
            slices.add(cut.next(new BlockSlice(slice, 0, 1, 1)));
        }
        return slices;
    }

    private SlabLease lease(int slices) {
        return new SlabLease(slices, goneBack::incrementAndGet, counters);
    }
}
