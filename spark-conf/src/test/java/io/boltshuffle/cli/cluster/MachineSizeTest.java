package io.boltshuffle.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MachineSizeTest {
    private static final long GIB = 1L << 30;

    /** A Mac mini with 16 GB, one with 64 GB, a Mac Studio with 512 GB, and a machine that is too small. */
    @ParameterizedTest
    @CsvSource({"16, 10, 1, 11, 5.5, 9", "64, 14, 4, 44, 22, 13", "512, 32, 8, 376, 188, 31", "2, 2, 1, -1, -0.5, 2"})
    void aMachineKeepsRoomForThePersonAtIt(
            long memory, int processors, long slab, long worker, double executor, int cores) {
        MachineSize machine = new MachineSize(memory * GIB, processors);

        assertThat(MachineSize.slabBytes(machine.memoryBytes())).isEqualTo(slab * GIB);
        assertThat(machine.workerMemoryBytes(slab * GIB)).isEqualTo(worker * GIB);
        assertThat(MachineSize.executorMemoryBytes(worker * GIB)).isEqualTo((long) (executor * GIB));
        assertThat(machine.workerCores()).isEqualTo(cores);
    }
}
