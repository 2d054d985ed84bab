package io.boltshuffle.proof.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.proof.soak.Series.Point;
import io.boltshuffle.proof.soak.Series.Trend.Kind;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SeriesTest {
    @Test
    void whatStaysIsSteadyThoughItVaries() {
        assertThat(trend(WatchedResource.THREADS, second -> 40 + second % 7)).isEqualTo(Kind.STEADY);
    }

    @Test
    void whatGrowsOnIsFound() {
        assertThat(trend(WatchedResource.DESCRIPTORS, second -> 100 + second)).isEqualTo(Kind.GROWN);
        assertThat(trend(WatchedResource.PRIVATE_MEMORY, second -> (300 + 2 * second) * (1 << 20)))
                .isEqualTo(Kind.GROWN);
    }

    @Test
    void aWarmUpIsNoGrowth() {
        assertThat(trend(WatchedResource.LIVE_HEAP, second -> Math.min(second, 40) * (4 << 20)))
                .isEqualTo(Kind.STEADY);
    }

    @Test
    void onePeakIsNoGrowth() {
        assertThat(trend(WatchedResource.THREADS, second -> second > 170 && second < 180 ? 500 : 40))
                .isEqualTo(Kind.STEADY);
    }

    @Test
    void quarantineMayNotGrowAtAll() {
        assertThat(trend(WatchedResource.QUARANTINED, second -> second < 100 ? 0 : 4096))
                .isEqualTo(Kind.GROWN);
    }

    @Test
    void aProcessThatWasReplacedIsNotJudged() {
        List<Point> points = Stream.concat(
                        points(0, 120, 1, second -> second).stream(),
                        points(120, 200, 2, second -> second * 9).stream())
                .toList();
        assertThat(new Series("executor", WatchedResource.THREADS, points)
                        .trend()
                        .kind())
                .isEqualTo(Kind.UNJUDGED);
    }

    @Test
    void aShortTimeSaysNothing() {
        assertThat(new Series("agent", WatchedResource.THREADS, points(0, 100, 1, second -> second * 100))
                        .trend()
                        .kind())
                .isEqualTo(Kind.UNJUDGED);
    }

    private static Kind trend(WatchedResource quantity, DoubleUnaryOperator value) {
        return new Series("agent", quantity, points(0, 200, 1, value)).trend().kind();
    }

    private static List<Point> points(int from, int to, long pid, DoubleUnaryOperator value) {
        return IntStream.range(from, to)
                .mapToObj(second -> new Point(second, pid, value.applyAsDouble(second)))
                .toList();
    }
}
