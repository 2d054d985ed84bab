package io.boltshuffle.rdma.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.boltshuffle.os.MemoryGroup;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SlabRoomTest {

    private static final long MIB = 1 << 20;

    @Test
    void aSlabThatLeavesAQuarterOfTheMemoryIsAllowed() {
        assertThatNoException().isThrownBy(() -> SlabRoom.checkMemory(767 * MIB, 1024 * MIB));
    }

    @Test
    void aSlabThatTakesMoreMemoryIsRefusedWithARemedy() {
        assertThatExceptionOfType(SlabException.class)
                .isThrownBy(() -> SlabRoom.checkMemory(769 * MIB, 1024 * MIB))
                .withMessageContaining("smaller slab")
                .withMessageContaining(String.valueOf(1024 * MIB));
    }

    @Test
    void whatIsAvailableIsWhatTheKernelSays() {
        List<String> meminfo = List.of("MemTotal:        4194304 kB", "MemAvailable:    1048576 kB");
        assertThat(SlabRoom.availableBytes(meminfo)).isEqualTo(1024 * MIB);
        assertThat(SlabRoom.availableBytes(meminfo.subList(0, 1))).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aSlabThatTakesMoreOfAMemoryCgroupIsRefusedWithTheGroupAndARemedy() {
        Optional<MemoryGroup> group = Optional.of(new MemoryGroup(Path.of("/groups/job"), 2048 * MIB, 1024 * MIB));

        assertThatNoException().isThrownBy(() -> SlabRoom.checkGroup(767 * MIB, group));
        assertThatNoException().isThrownBy(() -> SlabRoom.checkGroup(Long.MAX_VALUE, Optional.empty()));
        assertThatExceptionOfType(SlabException.class)
                .isThrownBy(() -> SlabRoom.checkGroup(769 * MIB, group))
                .withMessageContaining("/groups/job")
                .withMessageContaining(String.valueOf(1024 * MIB))
                .withMessageContaining("smaller slab, or raise that limit");
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

    @Test
    void wherePhysicalMemoryIsAllThatIsKnownItIsTheLimit(@TempDir Path directory) throws Exception {
        Path noMeminfo = directory.resolve("meminfo");
        SlabRoom.checkMemory(MIB, noMeminfo);
        assertThatExceptionOfType(SlabException.class)
                .isThrownBy(() -> SlabRoom.checkMemory(Long.MAX_VALUE, noMeminfo))
                .withMessageContaining("would wire more than half");
    }

    @Test
    void aSlabThatWouldWireMoreThanHalfOfTheMemoryIsRefusedWithTheLimit() throws Exception {
        SlabRoom.checkWired(8L << 30, 16L << 30);
        assertThatExceptionOfType(SlabException.class)
                .isThrownBy(() -> SlabRoom.checkWired((8L << 30) + 1, 16L << 30))
                .withMessageContaining("at most " + (8L << 30) + " bytes");
    }
}
