package io.boltshuffle.spark.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.spark.fetch.LiveBlockName;
import io.boltshuffle.wire.LiveBlock;
import org.junit.jupiter.api.Test;

class BlockClassTest {

    @Test
    void everyKindOfBlockHasItsClass() {
        assertThat(BlockClass.of(named("broadcast_1_piece0"))).isEqualTo(BlockClass.BROADCAST);
        assertThat(BlockClass.of(named("rdd_1_0"))).isEqualTo(BlockClass.CACHED);
        assertThat(BlockClass.of(named("taskresult_1"))).isEqualTo(BlockClass.RESULT);
        assertThat(LiveBlockName.parse("broadcast_1")).isEmpty();
    }

    private static LiveBlock named(String name) {
        return LiveBlockName.parse(name).orElseThrow();
    }
}
