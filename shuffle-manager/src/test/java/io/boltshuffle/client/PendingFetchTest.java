package io.boltshuffle.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.testing.SimLoop;
import io.boltshuffle.wire.FetchDeadline;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PendingFetchTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration GRACE = Duration.ofSeconds(1);
    private static final int MIB = 1 << 20;

    private final SimLoop loop = new SimLoop();
    private final AtomicInteger over = new AtomicInteger();
    private final PendingFetch.Watch watch = new PendingFetch.Watch(
            loop, new FetchDeadline(loop.nanoTime(), TIMEOUT.toNanos()), GRACE.toNanos(), over::incrementAndGet);

    @Test
    void theExecutorWaitsAsLongAsItsAgent() {
        for (int i = 0; i < 10; i++) {
            loop.advance(Duration.ofSeconds(9));
            watch.progress(12L * MIB);
        }
        loop.advance(TIMEOUT.plus(GRACE).minusMillis(1));
        assertThat(over).hasValue(0);
        loop.advance(Duration.ofMillis(1));
        assertThat(over).hasValue(1);
    }

    @Test
    void whatHasEndedIsNotGivenUpWhateverIsSaidOfIt() {
        watch.end();
        watch.progress(MIB);
        loop.advance(TIMEOUT.multipliedBy(3));
        assertThat(over).hasValue(0);
    }
}
