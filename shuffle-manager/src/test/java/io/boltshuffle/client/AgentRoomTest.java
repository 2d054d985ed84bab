package io.boltshuffle.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.os.MemoryGroup;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AgentRoomTest {

    private static final long MIB = 1 << 20;

    /** The container has a tenth more than the heap, as Spark makes it. Without an agent the executor lives. */
    @Test
    void aContainerWithJustEnoughForItsExecutorHasNoRoomForAnAgent() {
        assertThat(shortage(64, 4506, 4300, 3900).orElseThrow())
                .contains("/groups/executor", "spark.boltshuffle.agent.slab", "memoryOverhead")
                .contains("leaves 0 for")
                .doesNotContain("\n");
    }

    @Test
    void aGroupWithRoomBesideTheHeapHasOne() {
        assertThat(shortage(1024, 16_000, 15_000, 4_000)).isEmpty();
        assertThat(shortage(9_272, 16_000, 15_000, 4_000)).isEmpty();
        assertThat(shortage(9_273, 16_000, 15_000, 4_000)).isPresent();
    }

    @Test
    void withoutALimitThereIsRoom() {
        assertThat(AgentRoom.shortage(Long.MAX_VALUE, Optional.empty(), 1)).isEmpty();
    }

    private static Optional<String> shortage(long slab, long limit, long free, long heapToCome) {
        MemoryGroup group = new MemoryGroup(Path.of("/groups/executor"), limit * MIB, free * MIB);
        return AgentRoom.shortage(slab * MIB, Optional.of(group), heapToCome * MIB);
    }
}
