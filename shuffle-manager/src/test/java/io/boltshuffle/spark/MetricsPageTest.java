package io.boltshuffle.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.client.ClientCounters;
import io.boltshuffle.spark.report.Remedy;
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

    /** The page has one line for both. */
    @Test
    void everyReasonIsCountedInBlocksAndInBytes() {
        for (FallbackReason reason : FallbackReason.values()) {
            assertThat(metrics.metricRegistry().getNames())
                    .contains("fallbacks." + reason.metricName(), "fallbackBytes." + reason.metricName());
        }
    }

    private String page() {
        StringBuilder page = new StringBuilder("""
                # Metrics

                <!-- Generated from io.boltshuffle.spark.ShuffleMetrics; MetricsPageTest rewrites it. -->

                Every executor counts in Spark's metrics system, under the source `%1$s`: a sink shows
                `<application>.<executor>.%1$s.<metric>`. Spark's CSV sink writes a file of that name and `.csv` for each
                metric; of a counter the column `count` is the value, of a gauge the column `value`, of a timer the times are
                milliseconds. The source appears with an executor's first shuffle task.

                ## What to look at, and what to alert on

                The share by RDMA is `bytes.rdma` divided by `bytes.rdma` + `bytes.netty`. `bolt agent status --json` has the
                agents' side.

                | alert when | means | do |
                | --- | --- | --- |
                | `failures` grows | blocks could not be fetched by Netty either; Spark repeats the stage | see the executors' logs: a host is lost or its disk broken |
                | `fallbackBytes.corrupt` grows | damaged bytes arrived and were not delivered | change the cable; [tell us](operations.md#what-to-send-us) |
                | `fallbackBytes.transport_error` grows | a defect of ours; bytes came by Netty | tell us, with the executor's log |
                | `cablesDown` above 0 for minutes, or `cablesUp` below what you have plugged in | a cable or an agent is out; jobs go on by TCP | `bolt doctor` |
                | the share by RDMA falls below what it was | see which `fallbackBytes.*` grew | the table of reasons below |
                | `fallbackBytes.no_memory` or `memory.copiedOutBytes` grows in each job | the agents' memory is small for this job | a larger `agent.slab` ([sizing](sizing.md)) |
                | `memory.forgottenBlocks` above 0 | a reader drops blocks without a release | tell us which library reads shuffle blocks |

                ## What is counted

                | Metric | Kind | Meaning |
                | --- | --- | --- |
                """.formatted(metrics.sourceName()));
        metrics.descriptions().stream()
                .filter(metric -> !metric.name().startsWith("fallback"))
                .forEach(metric ->
                        page.append("| `%s` | %s | %s. |%n".formatted(metric.name(), metric.kind(), metric.doc())));
        page.append("""

                ## Why blocks went by Netty

                Each reason has two counters: `fallbacks.<reason>` counts blocks, as soon as they are given to Netty, and
                `fallbackBytes.<reason>` their bytes, as they arrive.

                | Reason | Blocks went by Netty because | What to do |
                | --- | --- | --- |
                """);
        for (FallbackReason reason : FallbackReason.values()) {
            page.append("| `%s` | %s | %s |%n"
                    .formatted(reason.metricName(), reason.meaning(), Remedy.of(reason.metricName())));
        }
        page.append("""

                ## Totals on the driver

                With `spark.plugins=io.boltshuffle.spark.BoltShufflePlugin` the driver has totals of all executors as gauges, under
                `plugin.io.boltshuffle.spark.BoltShufflePlugin`: `rdmaBytes` and `nettyBytes` as above, and `cablesUp` and
                `cablesDown`, as the agents see them. They are what Spark's Prometheus servlet, which only the driver has, can
                show: see `spark-conf/profiles/metrics.properties`.
                """);
        return page.toString();
    }
}
