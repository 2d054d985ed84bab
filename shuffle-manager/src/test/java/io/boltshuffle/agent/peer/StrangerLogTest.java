package io.boltshuffle.agent.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StrangerLogTest {

    @Test
    void oneLineAMinuteIsSaidAloud() {
        StrangerLog log = new StrangerLog();
        long now = -5;
        assertThat(log.ended(now, "first")).isTrue();
        for (int i = 0; i < 1000; i++) {
            assertThat(log.ended(now + i, "more")).isFalse();
        }
        assertThat(log.ended(now + TimeUnit.MINUTES.toNanos(1), "a minute later"))
                .isTrue();
        assertThat(log.ended(now + TimeUnit.MINUTES.toNanos(1), "again")).isFalse();
    }
}
