package io.boltshuffle.rdma.memory;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import org.junit.jupiter.api.Test;

class AvailableMemoryTest {

    private static final List<String> ONE_GIB = List.of("MemTotal:        4194304 kB", "MemAvailable:    1048576 kB");

    @Test
    void aSlabThatLeavesAQuarterIsAllowed() throws SlabException {
        AvailableMemory.check(768 << 20, ONE_GIB.subList(0, 1));
        AvailableMemory.check(767 << 20, ONE_GIB);
    }

    @Test
    void aSlabThatTakesMoreIsRefusedWithARemedy() {
        assertThatExceptionOfType(SlabException.class)
                .isThrownBy(() -> AvailableMemory.check(769 << 20, ONE_GIB))
                .withMessageContaining("smaller slab")
                .withMessageContaining(String.valueOf(1L << 30));
    }
}
