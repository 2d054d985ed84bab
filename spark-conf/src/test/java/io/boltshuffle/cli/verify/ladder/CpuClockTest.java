package io.boltshuffle.cli.verify.ladder;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class CpuClockTest {

    @Test
    void aThreadThatEndedTakesNothingAwayFromTheOthers() {
        CpuClock before = new CpuClock(Map.of("1", 1_000L, "2", 9_000L));
        CpuClock after = new CpuClock(Map.of("1", 1_500L));

        assertThat(after.nanosSince(before)).isEqualTo(500);
    }

    @Test
    void aThreadThatBeganMeanwhileCountsInWhole() {
        CpuClock before = new CpuClock(Map.of("1", 1_000L));
        CpuClock after = new CpuClock(Map.of("1", 1_000L, "3", 70L));

        assertThat(after.nanosSince(before)).isEqualTo(70);
    }

    @Test
    void whatThisThreadUsesIsSeen() {
        CpuClock before = CpuClock.read();
        long startNanos = CpuClock.nanosOfThisThread();
        while (CpuClock.nanosOfThisThread() - startNanos < 20_000_000) {
            Thread.onSpinWait();
        }

        assertThat(CpuClock.read().nanosSince(before)).isGreaterThanOrEqualTo(20_000_000);
    }
}
