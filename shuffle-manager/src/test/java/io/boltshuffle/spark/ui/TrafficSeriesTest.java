package io.boltshuffle.spark.ui;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class TrafficSeriesTest {
    private final TrafficSeries series = new TrafficSeries();

    @Test
    void aLongApplicationIsKeptWholeInBoundedRoom() {
        for (int second = 0; second <= 100_000; second++) {
            series.add(second * 1_000L, second, Map.of());
        }

        assertThat(series.samples()).hasSizeBetween(TrafficSeries.CAPACITY / 2, TrafficSeries.CAPACITY);
        assertThat(series.samples().get(0).timeMillis()).isZero();
        assertThat(series.samples().get(series.samples().size() - 1).rdmaBytes())
                .isEqualTo(100_000);
    }

    @Test
    void theNewestCountsAreAlwaysThere() {
        series.add(0, 0, Map.of());
        series.add(100, 1, Map.of());
        series.add(200, 2, Map.of());

        assertThat(series.samples()).extracting(Picture.Sample::rdmaBytes).containsExactly(0L, 2L);
    }
}
