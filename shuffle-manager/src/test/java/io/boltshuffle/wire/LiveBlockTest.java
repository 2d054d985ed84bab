package io.boltshuffle.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LiveBlockTest {

    @ParameterizedTest
    @EnumSource(LiveBlock.Kind.class)
    void theRangeNamesTheSameBlock(LiveBlock.Kind kind) {
        LiveBlock block = new LiveBlock(kind, 1L << 40, 7);

        assertThat(LiveBlock.of(block.toRange())).contains(block);
        assertThat(LiveBlock.isNamedBy(block.toRange())).isTrue();
    }

    /** Agents of other hosts may be of another build: what the numbers mean stays. */
    @Test
    void theNumbersOfKindsStay() {
        assertThat(new LiveBlock(LiveBlock.Kind.BROADCAST_PIECE, 3, 4).toRange())
                .isEqualTo(new BlockRange(Integer.MAX_VALUE, 3, 4, 5));
        assertThat(new LiveBlock(LiveBlock.Kind.RDD_PARTITION, 3, 4).toRange())
                .isEqualTo(new BlockRange(Integer.MAX_VALUE - 1, 3, 4, 5));
        assertThat(new LiveBlock(LiveBlock.Kind.TASK_RESULT, 3, 0).toRange())
                .isEqualTo(new BlockRange(Integer.MAX_VALUE - 2, 3, 0, 1));
    }

    @Test
    void blocksOfShufflesAreNoneOfThem() {
        assertThat(LiveBlock.of(new BlockRange(0, 1, 2, 3))).isEmpty();
        assertThat(LiveBlock.isNamedBy(new BlockRange(Integer.MAX_VALUE - 3, 1, 2, 3)))
                .isFalse();
    }

    @Test
    void numbersThatARangeCannotHaveAreRefused() {
        assertThatThrownBy(() -> new LiveBlock(LiveBlock.Kind.RDD_PARTITION, -1, 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new LiveBlock(LiveBlock.Kind.RDD_PARTITION, 1, Integer.MAX_VALUE))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
