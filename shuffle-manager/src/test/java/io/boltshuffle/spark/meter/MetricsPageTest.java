package io.boltshuffle.spark.meter;

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

                <!-- Generated from io.boltshuffle.spark.meter.ShuffleMetrics; MetricsPageTest rewrites it. -->

                Find here which metrics to watch, when to raise an alert, and what each fallback reason means. Each
                executor publishes its metrics in Spark's metrics system under the source `%1$s`; a sink shows
                them as `<application>.<executor>.%1$s.<metric>`. In the files of Spark's CSV sink a counter is
                in the column `count`, a gauge in `value`, and times are in milliseconds. The source appears with an
                executor's first shuffle task.

                ## What to look at, and what to alert on

                The share of bytes that came by RDMA is `bytes.rdma` divided by `bytes.rdma` + `bytes.netty`. Run
                `bolt agent status --json` for the figures of the agents.

                | alert when | means | do |
                | --- | --- | --- |
                | `failures` grows | blocks could not be fetched by Netty either; Spark repeats the stage | see the \
                executors' logs: a host is lost or its disk broken |
                | `fallbackBytes.corrupt` grows | damaged bytes arrived and were not delivered | change the cable; \
                [tell us](operations.md#what-to-send-us) |
                | `fallbackBytes.transport_error` grows | the plugin has a defect; the bytes came by Netty | tell us, \
                with the executor's log |
                | `cablesDown` above 0 for minutes, or `cablesUp` below what you have plugged in | a cable or an agent \
                is out; jobs go on by TCP | `bolt doctor` |
                | the share by RDMA falls | see which `fallbackBytes.*` grew | the table of reasons below |
                | `fallbackBytes.no_memory` or `memory.copiedOutBytes` grows in each job | the agents' memory is small \
                for this job | a [larger](operations.md#how-large-a-slab) `agent.slab` |
                | `memory.forgottenBlocks` above 0 | a reader drops blocks without a release | tell us which library \
                reads shuffle blocks |

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

                Each reason has two counters: `fallbacks.<reason>` counts blocks when the plugin gives them to Netty,
                and `fallbackBytes.<reason>` counts their bytes when they arrive.

                | Reason | Blocks went by Netty because | What to do |
                | --- | --- | --- |
                """);
        for (FallbackReason reason : FallbackReason.values()) {
            page.append("| `%s` | %s | %s |%n"
                    .formatted(reason.metricName(), reason.meaning(), Remedy.of(reason.metricName())));
        }
        page.append("""

                ## Totals on the driver

                With `spark.plugins=io.boltshuffle.spark.BoltShufflePlugin` the driver publishes totals of all executors
                as gauges under `plugin.io.boltshuffle.spark.BoltShufflePlugin`: `rdmaBytes` and `nettyBytes` as above,
                and `cablesUp` and `cablesDown` as the agents report them. Spark's Prometheus servlet runs on the driver
                only, so it can show these gauges alone: see `spark-conf/profiles/metrics.properties`.
                """);
        return page.toString();
    }
}
