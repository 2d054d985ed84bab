package io.boltshuffle.proof.bench.inspark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.Tuple2;

class EvenRangesTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 3, 8, 1000, 99_999})
    void everyKeyHasARangeAndTheOrderIsKept(int count) {
        EvenRanges ranges = new EvenRanges(count);
        int[] keys = IntStream.concat(
                        IntStream.of(0, Integer.MAX_VALUE), new SplittableRandom(5).ints(1_000, 0, Integer.MAX_VALUE))
                .sorted()
                .toArray();

        assertThat(ranges.getPartition(keys[0])).isZero();
        assertThat(ranges.getPartition(keys[keys.length - 1])).isEqualTo(count - 1);
        assertThat(IntStream.of(keys).map(ranges::getPartition).boxed()).isSorted();
    }

    @org.junit.jupiter.api.Test
    void totalsDoNotDependOnTheOrderAndDependOnEachByte() {
        Tuple2<Integer, byte[]> one = new Tuple2<>(5, new byte[] {1, 0, 2});
        Tuple2<Integer, byte[]> other = new Tuple2<>(9, new byte[] {3, 0, 4});

        assertThat(RowTotals.of(List.of(one, other).iterator()))
                .isEqualTo(RowTotals.of(List.of(other, one).iterator()))
                .isEqualTo(RowTotals.of(List.of(one).iterator())
                        .plus(RowTotals.of(List.of(other).iterator())))
                .isNotEqualTo(RowTotals.of(List.of(
                                new Tuple2<>(9, new byte[] {1, 0, 2}), new Tuple2<>(5, new byte[] {3, 0, 4}))
                        .iterator()));
    }
}
