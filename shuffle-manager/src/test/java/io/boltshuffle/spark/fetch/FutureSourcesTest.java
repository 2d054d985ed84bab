package io.boltshuffle.spark.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FutureSourcesTest {

    private final List<String> told = new CopyOnWriteArrayList<>();
    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger asked = new AtomicInteger();
    private final FutureSources sources = new FutureSources(this::hosts, told::addAll, nanos::get);

    @AfterEach
    void close() {
        sources.close();
    }

    @Test
    void theDriverIsAskedNowAndThenAndNotForEachTask() {
        sources.announce();
        await().untilAsserted(() -> assertThat(told).containsExactly("host1"));
        sources.announce();
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(10));
        sources.announce();
        await().untilAsserted(() -> assertThat(told).containsExactly("host1", "host2"));
        assertThat(asked).hasValue(2);
    }

    @Test
    void aDriverThatDoesNotAnswerHarmsNobody() {
        FutureSources unanswered = new FutureSources(
                () -> {
                    asked.incrementAndGet();
                    throw new IllegalStateException("no answer");
                },
                told::addAll,
                nanos::get);
        unanswered.announce();
        await().untilAsserted(() -> assertThat(asked).hasValue(1));
        unanswered.close();
        unanswered.announce();
        assertThat(told).isEmpty();
    }

    private List<String> hosts() {
        return List.of("host" + asked.incrementAndGet());
    }
}
