package io.boltshuffle.proof.bench.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.boltshuffle.cli.base.Json;
import io.boltshuffle.cli.base.Report;
import io.boltshuffle.cli.cluster.CableKind;
import io.boltshuffle.proof.bench.baseline.Baseline;
import io.boltshuffle.proof.bench.inspark.CpuNanos;
import io.boltshuffle.proof.bench.inspark.FetchRoute;
import io.boltshuffle.proof.bench.inspark.FetchSample;
import io.boltshuffle.proof.bench.inspark.LatencyNanos;
import io.boltshuffle.proof.bench.network.HostPath;
import io.boltshuffle.proof.bench.report.MachineState;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FetchResultsTest {
    private static final long GIGABYTE = 1_000_000_000;
    private static final MachineState MACHINE =
            new MachineState(Instant.EPOCH, "Linux", "a processor", 2, 1L << 34, "Java 17", 0.1);

    private static final FetchSetup SETUP =
            new FetchSetup(CableKind.READ, HostPath.VETH_9000_NO_OFFLOADS, Baseline.CONNECTIONS_4);

    private final List<FetchPoint> points = FetchPoint.of(
            SETUP,
            List.of(
                    sample(FetchRoute.NETTY, 0, 2, new CpuNanos(GIGABYTE, 0, 0)),
                    sample(FetchRoute.BOLTSHUFFLE, 0, 1, new CpuNanos(GIGABYTE / 10, GIGABYTE / 10, 5 * GIGABYTE)),
                    sample(FetchRoute.NETTY, 1, 4, new CpuNanos(3 * GIGABYTE, 0, 0)),
                    sample(FetchRoute.BOLTSHUFFLE, 1, 1, new CpuNanos(GIGABYTE / 10, GIGABYTE / 10, 5 * GIGABYTE))));
    private final Report report =
            new FetchResults("4.2.0", MACHINE, MACHINE, points, List.of(), List.of("veth-1500: no")).report();

    private static FetchSample sample(FetchRoute route, int round, int seconds, CpuNanos cpu) {
        return new FetchSample(
                route,
                1 << 20,
                4,
                round,
                GIGABYTE,
                route == FetchRoute.NETTY ? 0 : GIGABYTE,
                1_000,
                100,
                seconds * GIGABYTE,
                new LatencyNanos(1_000_000, 2_000_000, 3_000_000),
                cpu,
                5_000_000);
    }

    @Test
    void whatTheEmulatorUsesIsShownAndNotCounted() {
        assertThat(points).singleElement().satisfies(point -> {
            assertThat(point.stock().median(FetchCost.CPU)).isCloseTo(2, within(1e-9));
            assertThat(point.boltshuffle().median(FetchCost.CPU)).isCloseTo(0.2, within(1e-9));
            assertThat(point.boltshuffle().median(FetchCost.EMULATOR_CPU)).isCloseTo(5, within(1e-9));
            assertThat(point.cpuRatio()).isCloseTo(0.1, within(1e-9));
        });
    }

    @Test
    void throughputIsComparedByMedians() {
        // 0.5 and 0.25 GB/s against 1 and 1.
        assertThat(points.get(0).throughputRatio()).isCloseTo(1 / 0.375, within(1e-9));
    }

    @Test
    void theTableHasARowForEachPoint() {
        assertThat(report.toText().lines())
                .anySatisfy(row -> assertThat(row).contains("1.0 MiB", "0.200", "2.000", "0.17", "100%"));
    }

    @Test
    void theHeadSaysWhichNettyItIsAndWhatCarriesIt() {
        String head = "read cables; Netty with 4 connections, over veth, MTU 9000, no offloads";

        assertThat(report.toText()).contains("Spark 4.2.0", head, "skipped: veth-1500: no");
        assertThat(report.toHtml()).contains(head, "skipped: veth-1500: no");
    }

    @Test
    void aPointThatOneRouteHasBeenMeasuredAtIsLeftOutOfAnUnfinishedReport() {
        assertThat(FetchPoint.of(SETUP, List.of(sample(FetchRoute.NETTY, 0, 2, new CpuNanos(1, 0, 0)))))
                .isEmpty();
    }

    @Test
    void theJsonHasRatiosAndSamples() throws Exception {
        JsonNode point = new ObjectMapper()
                .readTree(Json.write(report.toJson()))
                .get("points")
                .get(0);

        assertThat(point.get("cables").asText()).isEqualTo("read");
        assertThat(point.get("path").asText()).isEqualTo("veth-9000-no-offloads");
        assertThat(point.get("baseline").asText()).isEqualTo("connections-4");
        assertThat(point.get("cpuRatio").asDouble()).isCloseTo(0.1, within(1e-9));
        assertThat(point.get("stock").get("gigabytesPerSecond").get("samples")).hasSize(2);
    }

    @Test
    void thePageRefersToNothingOutsideOfIt() {
        assertThat(report.toHtml()).contains("<table", "read cables").doesNotContain("http", "src=", "href=");
    }

    @ParameterizedTest
    @CsvSource({"READ, 4096, 0.5", "SEND, 4096, 0.5", "READ, 32768, 0.25", "SEND, 131072, 0.4", "READ, 16777216, 0.1667"
    })
    void theLimitIsThatOfTheNextSmallerSize(CableKind cables, int blockBytes, double limit) {
        assertThat(CpuLimit.of(cables, blockBytes).orElseThrow()).isCloseTo(limit, within(1e-4));
    }

    @Test
    void verySmallBlocksHaveNoLimit() {
        assertThat(CpuLimit.of(CableKind.READ, 1024)).isEmpty();
    }
}
