package io.boltshuffle.rdma.memory;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class SlabRoomTest {

    private static final long MIB = 1 << 20;
    private static final List<String> ONE_GIB_AVAILABLE =
            List.of("MemTotal:        4194304 kB", "MemAvailable:    1048576 kB");

    @Test
    void aSlabThatLeavesAQuarterOfTheMemoryIsAllowed() {
        assertThatNoException().isThrownBy(() -> SlabRoom.checkMemory(767 * MIB, ONE_GIB_AVAILABLE));
    }

    @Test
    void aSlabThatTakesMoreMemoryIsRefusedWithARemedy() {
        assertThatExceptionOfType(SlabException.class)
                .isThrownBy(() -> SlabRoom.checkMemory(769 * MIB, ONE_GIB_AVAILABLE))
                .withMessageContaining("smaller slab")
                .withMessageContaining(String.valueOf(1024 * MIB));
    }

    @Test
    void aKernelThatDoesNotTellRefusesNothing() {
        assertThatNoException().isThrownBy(() -> SlabRoom.checkMemory(769 * MIB, ONE_GIB_AVAILABLE.subList(0, 1)));
    }

    @Test
    void aSlabMustFitIntoItsFileSystem() {
        Path directory = Path.of("/dev/shm/.");
        assertThatNoException().isThrownBy(() -> SlabRoom.checkFileSystem(MIB, directory, MIB));
        assertThatExceptionOfType(SlabException.class)
                .isThrownBy(() -> SlabRoom.checkFileSystem(MIB + 1, directory, MIB))
                .withMessageContaining("/dev/shm,")
                .withMessageContaining("enlarge");
    }
}
