package io.boltshuffle.rdma.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FrameAllocatorTest {

    private static final int TOTAL = 100;
    private static final int PIECE = 16;

    private final FrameAllocator allocator = new FrameAllocator(TOTAL, PIECE);

    @ParameterizedTest(name = "after {0} frames, {1} frames start at {2}")
    @CsvSource({"0, 16, 0", "1, 15, 1", "1, 16, 16", "10, 6, 10", "10, 7, 16", "0, 40, 0", "1, 17, 16", "16, 17, 16"})
    void aRangeLiesWithinAPieceOrStartsAtOne(int before, int frames, int expected) {
        if (before > 0) {
            assertThat(allocator.allocate(before)).isZero();
        }
        assertThat(allocator.allocate(frames)).isEqualTo(expected);
    }

    @Test
    void theSmallestRangeThatFitsIsTaken() {
        int first = allocator.allocate(8);
        allocator.allocate(4);
        int third = allocator.allocate(4);
        allocator.allocate(16);
        allocator.free(first, 8);
        allocator.free(third, 4);
        assertThat(allocator.allocate(3)).isEqualTo(third);
        assertThat(allocator.allocate(6)).isEqualTo(first);
    }

    @Test
    void neighboursAreJoined() {
        int[] firsts = {allocator.allocate(5), allocator.allocate(5), allocator.allocate(5)};
        allocator.free(firsts[0], 5);
        allocator.free(firsts[2], 5);
        allocator.free(firsts[1], 5);
        assertThat(allocator.largestFreeFrames()).isEqualTo(TOTAL);
    }

    @Test
    void aRangeThatIsFreeAlreadyIsNotFreedAgain() {
        allocator.allocate(10);
        allocator.free(2, 4);
        for (int[] range : new int[][] {{2, 4}, {0, 3}, {5, 2}, {1, 8}, {9, 2}}) {
            assertThatIllegalStateException().isThrownBy(() -> allocator.free(range[0], range[1]));
        }
    }

    @Test
    void aPieceIsAPowerOfTwo() {
        assertThatIllegalArgumentException().isThrownBy(() -> new FrameAllocator(TOTAL, 12));
    }

    /** Nothing is refused for which there is a legal place, and nothing is given twice. */
    @Test
    void itAgreesWithABitmap() {
        long seed = Seeds.choose();
        Seeds.reported(seed, FrameAllocatorTest.class, () -> {
            Random random = new Random(seed);
            FrameMap map = new FrameMap(TOTAL, PIECE);
            List<int[]> held = new ArrayList<>();
            for (int step = 0; step < 20_000; step++) {
                if (held.isEmpty() || random.nextInt(5) < 3) {
                    int frames = 1 + random.nextInt(random.nextInt(8) == 0 ? TOTAL : PIECE);
                    int first = allocator.allocate(frames);
                    assertThat(first == FrameAllocator.NONE).isEqualTo(!map.hasPlace(frames));
                    if (first != FrameAllocator.NONE) {
                        map.occupy(first, frames);
                        held.add(new int[] {first, frames});
                    }
                } else {
                    int[] range = held.remove(random.nextInt(held.size()));
                    map.clear(range[0], range[1]);
                    allocator.free(range[0], range[1]);
                }
                assertThat(allocator.freeFrames()).isEqualTo(map.freeFrames());
                assertThat(allocator.largestFreeFrames()).isEqualTo(map.longestFree());
            }
        });
    }
}
