package io.boltshuffle.spark.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.wire.LiveBlock;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.BroadcastBlockId;
import org.apache.spark.storage.RDDBlockId;
import org.apache.spark.storage.TaskResultBlockId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LiveBlockNameTest {

    @Test
    void sparksNamesAreKnown() {
        assertThat(LiveBlockName.parse(new BroadcastBlockId(3, "piece4").name()))
                .contains(new LiveBlock(LiveBlock.Kind.BROADCAST_PIECE, 3, 4));
        assertThat(LiveBlockName.parse(new RDDBlockId(5, 6).name()))
                .contains(new LiveBlock(LiveBlock.Kind.RDD_PARTITION, 5, 6));
        assertThat(LiveBlockName.parse(new TaskResultBlockId(7).name()))
                .contains(new LiveBlock(LiveBlock.Kind.TASK_RESULT, 7, 0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"broadcast_0_piece0", "rdd_12_345", "taskresult_99999999999"})
    void aBlockHasTheNameItCameFrom(String name) {
        String back = LiveBlockName.of(LiveBlockName.parse(name).orElseThrow());

        assertThat(back).isEqualTo(name);
        assertThat(BlockId.apply(back).name()).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "broadcast_3",
                "broadcast_3_python",
                "rdd_1",
                "rdd_-1_2",
                "rdd_1_9999999999",
                "taskresult_",
                "taskresult_9999999999999999999",
                "shuffle_0_1_2",
                "temp_local_1",
                ""
            })
    void otherNamesAreLeftToNetty(String name) {
        assertThat(LiveBlockName.parse(name)).isEmpty();
    }

    @Test
    void aShuffleThatSparkNeverHasIsNoNameForABlockInMemory() {
        assertThat(ShuffleBlockName.parse("shuffle_2147483647_1_2")).isEmpty();
        assertThat(ShuffleBlockName.parse("shuffle_2147483644_1_2")).isPresent();
    }
}
