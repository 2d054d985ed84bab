package io.boltshuffle.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.cli.cluster.CableKind;
import io.boltshuffle.cli.job.ExecutorMetrics;
import io.boltshuffle.cli.job.ShuffleVariant;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoReportTest {
    private static final Map<String, Long> STOCK = Map.of(
            "executor.shuffleRemoteBytesRead",
            5L << 20,
            "executor.shuffleLocalBytesRead",
            4L << 20,
            "executor.shuffleFetchWaitTime",
            120L,
            "JVMCPU.jvmCpuTime",
            9_000_000_000L);
    private static final Map<String, Long> PLUGIN = Map.of(
            "boltshuffle.bytes.netty", 5L << 20,
            "boltshuffle.bytes.rdma", 0L,
            "boltshuffle.fallbacks.no_agent", 12L,
            "boltshuffle.fallbacks.disabled", 0L);

    private final Path directory;

    DemoReportTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @Test
    void theTableShowsFiguresTransportsAndTheReasonsThatHappened() throws IOException {
        DemoReport report =
                report(run(ShuffleVariant.STOCK, true, STOCK), run(ShuffleVariant.BOLTSHUFFLE, true, STOCK, PLUGIN));

        assertThat(report.faults()).isEmpty();
        assertThat(MetricsTable.of(report).lines())
                .anyMatch(line -> line.matches("shuffle read, remote +5\\.0 MiB +5\\.0 MiB"))
                .anyMatch(line -> line.matches(" +by rdma +- +0 B"))
                .anyMatch(line -> line.matches(" +by netty +- +5\\.0 MiB"))
                .anyMatch(line -> line.matches(" +not by rdma: no_agent +- +12 blocks"))
                .anyMatch(line -> line.matches("agents and cables CPU +2\\.5 s +2\\.5 s"))
                .anyMatch(line -> line.matches("executor CPU +9\\.0 s +9\\.0 s"))
                .noneMatch(line -> line.contains("disabled"));
    }

    @Test
    void oneSentenceSaysWhatItComesTo() throws IOException {
        DemoRun right = run(ShuffleVariant.STOCK, true, STOCK);
        assertThat(report(right).conclusion()).contains("all outputs are right").contains("every block went by TCP");
        DemoRun wrong = run(ShuffleVariant.BOLTSHUFFLE, false, STOCK, PLUGIN);
        assertThat(report(right, wrong).conclusion()).contains("NOT ALL OUTPUTS ARE RIGHT");
        assertThat(new DemoReport("4.2.0", 2, CableKind.SEND, 100, List.of(right, wrong)).conclusion())
                .contains("with the plugin 0.0 % of the bytes from other hosts came by RDMA");
    }

    @Test
    void aMissingFigureIsShownAsMissingAndIsAFault() throws IOException {
        DemoReport report = report(run(ShuffleVariant.BOLTSHUFFLE, true, STOCK));

        assertThat(MetricsTable.of(report)).containsPattern("by netty +missing");
        assertThat(report.faults()).contains("terasort with boltshuffle: no executor reported boltshuffle.bytes.netty");
    }

    @Test
    void aWrongOutputIsAFault() throws IOException {
        DemoReport report = report(run(ShuffleVariant.STOCK, false, STOCK));

        assertThat(MetricsTable.of(report)).contains("WRONG");
        assertThat(report.faults()).containsExactly("terasort with stock: 3 rows in place of 4");
    }

    @Test
    void bytesByTcpInSpiteOfCablesAreAFault() throws IOException {
        Map<String, Long> mostly = Map.of("boltshuffle.bytes.netty", 1L << 20, "boltshuffle.bytes.rdma", 49L << 20);
        DemoRun run = run(ShuffleVariant.BOLTSHUFFLE, true, STOCK, mostly);

        DemoReport cabled = new DemoReport("4.2.0", 2, CableKind.SEND, 100, List.of(run));
        assertThat(MetricsTable.of(cabled)).containsPattern("share by rdma +98\\.0 %");
        assertThat(cabled.faults())
                .containsExactly(
                        "terasort with boltshuffle: only 98.0 % of the bytes from other hosts came by RDMA; the"
                                + " table says why");
        assertThat(report(run).faults()).isEmpty();
    }

    @Test
    void jsonHasNullForWhatIsMissing() throws IOException {
        DemoReport report = report(run(ShuffleVariant.STOCK, true, Map.of("JVMCPU.jvmCpuTime", 1L)));

        assertThat(report.toJson())
                .extractingByKey("runs")
                .asString()
                .contains("executorCpuNanos=1")
                .contains("remoteBytes=null");
    }

    private static DemoReport report(DemoRun... runs) {
        return new DemoReport("4.2.0", 2, CableKind.NONE, 100, List.of(runs));
    }

    @SafeVarargs
    private DemoRun run(ShuffleVariant variant, boolean valid, Map<String, Long>... metrics) throws IOException {
        Path files = Files.createDirectory(directory.resolve(variant.label()));
        for (Map<String, Long> group : metrics) {
            for (Map.Entry<String, Long> metric : group.entrySet()) {
                Files.writeString(
                        files.resolve("job.0." + metric.getKey() + ".csv"), "t,count\n1," + metric.getValue());
            }
        }
        return new DemoRun(
                "terasort",
                variant,
                1_500,
                ExecutorMetrics.read(files),
                Duration.ofMillis(2_500),
                valid,
                valid ? "fine" : "3 rows in place of 4");
    }
}
