package io.boltshuffle.spark.ui;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class TrafficSeriesTest {
    private final TrafficSeries series = new TrafficSeries();

    @Test
    void aLongApplicationIsKeptWholeInBoundedRoom() {
        for (int second = 0; second <= 100_000; second++) {
            series.add(sample(second * 1_000L, second));
        }

        assertThat(series.samples()).hasSizeBetween(TrafficSeries.CAPACITY / 2, TrafficSeries.CAPACITY);
        assertThat(series.samples().get(0).timeMillis()).isZero();
        assertThat(series.samples().get(series.samples().size() - 1).rdmaBytes())
                .isEqualTo(100_000);
    }

    @Test
    void theNewestCountsAreAlwaysThere() {
        series.add(sample(0, 0));
        series.add(sample(100, 1));
        series.add(sample(200, 2));

        assertThat(series.samples()).extracting(Picture.Sample::rdmaBytes).containsExactly(0L, 2L);
    }

    private static Picture.Sample sample(long timeMillis, long rdmaBytes) {
        return new Picture.Sample(timeMillis, rdmaBytes, Map.of(), Map.of());
    }
}
