package io.boltshuffle.spark.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.boltshuffle.spark.fetch.LiveBlockName;
import io.boltshuffle.wire.LiveBlock;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import org.apache.spark.network.BlockTransferService;
import org.apache.spark.storage.BlockManager;
import org.junit.jupiter.api.Test;

class BlockServicesTest {

    /** What the reflection relies on, in the line of this build. */
    @Test
    void sparksBlockManagerHasTheField() throws Exception {
        Field field = BlockManager.class.getDeclaredField("blockTransferService");

        assertThat(field.getType()).isEqualTo(BlockTransferService.class);
        assertThat(Modifier.isStatic(field.getModifiers())).isFalse();
        assertThat(BlockManager.class.getMethod("blockTransferService").getReturnType())
                .isEqualTo(BlockTransferService.class);
        assertThat(BlockManager.class.getModule().isNamed()).isFalse();
    }

    @Test
    void aServiceThatIsNotSparksOwnStaysWhereItIs() {
        BlockTransferService others = new BoltBlockTransferTest.RecordingService();

        assertThatThrownBy(() -> BlockServices.requireSparksOwn(others))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("RecordingService, not Spark's own");
    }

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
