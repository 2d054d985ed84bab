package io.boltshuffle.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.client.ClientCounters;
import io.boltshuffle.testing.GoldenFile;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class MetricsPageTest {
    private final ShuffleMetrics metrics = new ShuffleMetrics(new ClientCounters());

    @Test
    void theMetricsPageSaysWhatTheCodeDeclares() throws IOException {
        GoldenFile.assertUpToDate("docs/metrics.md", page(), MetricsPageTest.class);
    }

    @Test
    void everyMetricOfTheRegistryIsDescribedOnce() {
        assertThat(metrics.descriptions())
                .extracting(ShuffleMetrics.Description::name)
                .containsExactlyInAnyOrderElementsOf(metrics.metricRegistry().getNames());
    }

    private String page() {
        StringBuilder page = new StringBuilder("""
                # Metrics

                <!-- Generated from io.boltshuffle.spark.ShuffleMetrics; MetricsPageTest rewrites it. -->

                Every executor counts in Spark's metrics system, under the source `%1$s`: a sink shows
                `<application>.<executor>.%1$s.<metric>`. Spark's CSV sink writes a file of that name and `.csv` for each
                metric; of a counter the column `count` is the value, of a gauge the column `value`, of a timer the times are
                milliseconds. The source appears with an executor's first shuffle task.

                | Metric | Kind | Meaning |
                | --- | --- | --- |
                """.formatted(metrics.sourceName()));
        metrics.descriptions()
                .forEach(metric ->
                        page.append("| `%s` | %s | %s. |%n".formatted(metric.name(), metric.kind(), metric.doc())));
        page.append("""

                With `spark.plugins=io.boltshuffle.spark.BoltShufflePlugin` the driver has totals of all executors as gauges, under
                `plugin.io.boltshuffle.spark.BoltShufflePlugin`: `rdmaBytes` and `nettyBytes` as above, and `cablesUp` and
                `cablesDown`, as the agents see them. They are what Spark's Prometheus servlet, which only the driver has, can
                show: see `spark-conf/profiles/metrics.properties`.
                """);
        return page.toString();
    }
}
