package io.boltshuffle.cli.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.ExitCode;
import org.junit.jupiter.api.Test;

class SharedMemoryTest {
    private static final long MEBIBYTE = 1L << 20;

    @Test
    void hostsGetTheUsualSlabWhereThereIsRoom() {
        assertThat(new SharedMemory(Long.MAX_VALUE).slabBytes(2, 80 * MEBIBYTE, 20 * MEBIBYTE))
                .isEqualTo(80 * MEBIBYTE);
    }

    @Test
    void whereMemoryIsShortTheyShareWhatIsThere() {
        // What a container has, unless it is told otherwise.
        assertThat(new SharedMemory(64 * MEBIBYTE).slabBytes(2, 80 * MEBIBYTE, 20 * MEBIBYTE))
                .isEqualTo(28 * MEBIBYTE);
    }

    @Test
    void tooLittleIsNamedWithTheRemedyBeforeAnythingStarts() {
        SharedMemory none = new SharedMemory(0);
        BoltException refused =
                catchThrowableOfType(BoltException.class, () -> none.slabBytes(2, 256 * MEBIBYTE, 64 * MEBIBYTE));

        assertThat(refused)
                .hasMessageContaining("0 MiB free, and 2 hosts need 64 MiB each")
                .hasMessageContaining("--shm-size=1g");
        assertThat(refused.exitCode()).isEqualTo(ExitCode.ENVIRONMENT);
    }

    @Test
    void aSlabThatWasAskedForIsNotMadeSmaller() {
        SharedMemory memory = new SharedMemory(200 * MEBIBYTE);
        assertThatNoException().isThrownBy(() -> memory.require(2, 100 * MEBIBYTE));

        assertThat(catchThrowableOfType(BoltException.class, () -> memory.require(2, 101 * MEBIBYTE)))
                .hasMessageContaining("2 hosts need 101 MiB each");
    }
}
