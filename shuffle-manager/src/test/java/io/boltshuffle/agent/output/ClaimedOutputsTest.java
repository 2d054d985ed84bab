package io.boltshuffle.agent.output;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.rdma.link.MessageChecksums;
import io.boltshuffle.rdma.memory.LeasePool;
import io.boltshuffle.rdma.memory.PoolClock;
import io.boltshuffle.rdma.memory.PoolLimits;
import io.boltshuffle.rdma.memory.Slab;
import io.boltshuffle.rdma.memory.SlabLocation;
import io.boltshuffle.testing.LogLines;
import io.boltshuffle.wire.BlockRange;
import io.boltshuffle.wire.OutputLayout;
import io.boltshuffle.wire.WireLimits;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Outputs of which their tasks said what checksums they have. */
class ClaimedOutputsTest {

    private static final long SLAB_BYTES = 1 << 20;
    private static final int FRAME = 4096;
    private static final String APP = "app-1";

    private final Path directory;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private Slab slab;
    private LeasePool pool;
    private Outputs outputs;

    ClaimedOutputsTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @BeforeEach
    void open() throws Exception {
        slab = Slab.create(SlabLocation.file(directory.resolve("slab")), SLAB_BYTES);
        pool = new LeasePool(slab, SLAB_BYTES, new PoolLimits(SLAB_BYTES, 16, 16), PoolClock.of(timer), Runnable::run);
        outputs = new Outputs(pool, 4 * FRAME);
    }

    /** After every test, what is withdrawn leaves nothing in use. */
    @AfterEach
    void nothingIsLeft() throws Exception {
        outputs.forget(APP);
        assertThat(outputs.status().usedBytes()).isZero();
        pool.close();
        slab.close();
        timer.shutdownNow();
    }

    private static byte[] content(long seed) {
        byte[] bytes = new byte[2 * FRAME];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    /** Of each piece of its partitions, as a task makes them. */
    private List<Integer> sums(Output output, long... lengths) {
        List<Integer> sums = new ArrayList<>();
        long start = 0;
        for (long length : lengths) {
            start = OutputLayout.FRAMED.start(start);
            for (long at = 0; at < length; at += WireLimits.SUMMED_BYTES) {
                int piece = (int) Math.min(WireLimits.SUMMED_BYTES, length - at);
                sums.add(MessageChecksums.of(new CRC32C(), slab.view(output.slabOffset() + start + at, piece)));
            }
            start += length;
        }
        return sums;
    }

    @Test
    void anOutputThatIsNotAsItsTaskSaidIsServedNoMore() {
        Output right = outputs.lend(APP, "1", 1, 2 * FRAME).orElseThrow();
        slab.view(right.slabOffset(), 2 * FRAME).put(content(1));
        assertThat(outputs.publish(right, 1, OutputLayout.FRAMED, List.of(100L, 0L, 50L), sums(right, 100, 0, 50)))
                .isTrue();
        Output wrong = outputs.lend(APP, "1", 1, 2 * FRAME).orElseThrow();
        slab.view(wrong.slabOffset(), 2 * FRAME).put(content(2));
        assertThat(outputs.publish(wrong, 2, OutputLayout.FRAMED, List.of(100L, 0L, 50L), sums(wrong, 100, 0, 50)))
                .isTrue();
        slab.view(wrong.slabOffset() + FRAME + 49, 1).put((byte) 0x5a);

        try (LogLines log = new LogLines()) {
            outputs.audit(right);
            outputs.audit(wrong);
            outputs.audit(wrong);

            assertThat(log.said()).singleElement().asString().contains("map 2", "go by their file");
        }

        assertThat(outputs.find(APP, "1", new BlockRange(1, 1, 0, 1))).isPresent();
        assertThat(outputs.find(APP, "1", new BlockRange(1, 2, 0, 1))).isEmpty();
        assertThat(outputs.status().damaged()).isEqualTo(1);
        assertThat(outputs.status().outputs()).isEqualTo(1);
        outputs.withdraw(APP, 1);
    }

    /** Tasks write before the first link is up. */
    @Test
    void tasksComputeSumsUnlessThereAreLinksThatHaveNoUseForThem() {
        assertThat(outputs.areSumsOfUse()).isTrue();
        outputs.linkIsUp(/* summed= */ false);
        assertThat(outputs.areSumsOfUse()).isFalse();
        outputs.linkIsUp(/* summed= */ true);
        outputs.linkIsUp(/* summed= */ false);
        assertThat(outputs.areSumsOfUse()).isTrue();
    }

    @Test
    void anOutputWithTooFewOrTooManySumsIsRefused() {
        for (int count : new int[] {1, 2, 4, 1000}) {
            Output output = outputs.lend(APP, "1", 1, 2 * FRAME).orElseThrow();
            List<Long> fitting = List.of((long) FRAME, 0L, 1L);
            assertThat(outputs.publish(output, 1, OutputLayout.FRAMED, fitting, Collections.nCopies(count, 7)))
                    .as("%d for 2 pieces", count)
                    .isEqualTo(count == 2);
        }
        outputs.withdraw(APP, 1);
    }
}
