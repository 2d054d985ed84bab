package io.boltshuffle.agent.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.testing.LogLines;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class DescriptorWatchTest {

    @Test
    void aLowLimitIsSaidOnceWithARemedy() {
        try (LogLines lines = new LogLines()) {
            new DescriptorWatch("host-a", 256, () -> 40).look();
            new DescriptorWatch("host-a", DescriptorWatch.ENOUGH, () -> 40).look();

            assertThat(lines.said()).singleElement().asString().contains("may have 256 files", "ulimit -n");
        }
    }

    @Test
    void thatHardlyAnyAreLeftIsSaidOnceForAsLongAsItLasts() {
        AtomicLong open = new AtomicLong(100);
        DescriptorWatch watch = new DescriptorWatch("host-a", 8000, open::get);
        try (LogLines lines = new LogLines()) {
            watch.look();
            assertThat(lines.said()).isEmpty();

            for (long now : new long[] {7001, 7999, 6500, 7500}) {
                open.set(now);
                watch.look();
            }
            assertThat(lines.said()).singleElement().asString().contains("has 7001 of the 8000", "ulimit -n");

            open.set(5999);
            watch.look();
            open.set(7999);
            watch.look();
            assertThat(lines.said()).hasSize(2);
        }
    }
}
