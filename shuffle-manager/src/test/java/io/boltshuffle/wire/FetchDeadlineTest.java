package io.boltshuffle.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class FetchDeadlineTest {

    private static final long START = Long.MAX_VALUE - 5;
    private static final long WINDOW = 12 * FetchDeadline.FLOOR_BYTES_PER_SECOND;

    private final FetchDeadline deadline = new FetchDeadline(START, seconds(30));

    private static long seconds(long count) {
        return TimeUnit.SECONDS.toNanos(count);
    }

    private long secondsAfterStart() {
        return TimeUnit.NANOSECONDS.toSeconds(deadline.nanos() - START);
    }

    @Test
    void withoutAnythingItIsTheTimeout() {
        assertThat(secondsAfterStart()).isEqualTo(30);
    }

    @Test
    void itCountsFromTheLastPart() {
        deadline.progress(START + seconds(1), WINDOW);
        assertThat(secondsAfterStart()).isEqualTo(31);
        deadline.progress(START + seconds(20), WINDOW);
        assertThat(secondsAfterStart()).isEqualTo(50);
    }

    @Test
    void crumbsBuyNoTime() {
        for (int i = 1; i < 30; i++) {
            deadline.progress(START + seconds(i), 1000);
        }
        assertThat(secondsAfterStart()).isEqualTo(30);
    }

    @Test
    void altogetherItGrowsWithWhatCame() {
        for (int i = 1; i <= 100; i++) {
            deadline.progress(START + seconds(20L * i), WINDOW);
        }
        assertThat(secondsAfterStart()).isEqualTo(100 * 12 + 30);
    }

    @Test
    void theLargestBlockDoesNotOverflow() {
        deadline.progress(START + seconds(1), WireLimits.MAX_BLOCK_BYTES);
        assertThat(secondsAfterStart()).isEqualTo(31);
    }
}
