package io.boltshuffle.cli.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.boltshuffle.cli.cluster.ClusterSpec;
import org.junit.jupiter.api.Test;

class FreeMemoryTest {
    private static final ClusterSpec TWO_HOSTS = new ClusterSpec(2, 1, "1024m");

    @Test
    void whatDoesNotFitIsRefusedWithTheRemedy() {
        assertThatThrownBy(() -> new FreeMemory(3L << 30).require(TWO_HOSTS, 256L << 20))
                .hasMessage(
                        "this machine has 3.0 GiB of memory free, and 2 hosts need about 3.8 GiB: give fewer --hosts, "
                                + "or a smaller --executor-memory");
        assertThatCode(() -> new FreeMemory(4L << 30).require(TWO_HOSTS, 256L << 20))
                .doesNotThrowAnyException();
    }

    @Test
    void theSystemsWordIsReadAndWithoutItNothingIsRefused() {
        assertThat(FreeMemory.available("MemTotal: 10 kB\nMemAvailable:    2048 kB\n"))
                .isEqualTo(2L << 20);
        assertThat(FreeMemory.available("MemTotal: 10 kB\n")).isEqualTo(Long.MAX_VALUE);
    }
}
