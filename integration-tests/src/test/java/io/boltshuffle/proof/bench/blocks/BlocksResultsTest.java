package io.boltshuffle.proof.bench.blocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.boltshuffle.cli.base.Json;
import io.boltshuffle.cli.base.Report;
import io.boltshuffle.cli.cluster.CableKind;
import io.boltshuffle.proof.bench.blocks.inspark.BlockWork;
import io.boltshuffle.proof.bench.blocks.inspark.BlocksSample;
import io.boltshuffle.proof.bench.inspark.CpuNanos;
import io.boltshuffle.proof.bench.network.Bandwidth;
import io.boltshuffle.proof.bench.network.HeldNetwork;
import io.boltshuffle.proof.bench.report.MachineState;
import io.boltshuffle.proof.bench.report.SampleSet;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class BlocksResultsTest {
    private static final long MILLI = 1_000_000;
    private static final long LARGE = 100_000_000;
    private static final long SMALL = 10_000;
    private static final MachineState MACHINE =
            new MachineState(Instant.EPOCH, "Linux", "a processor", 2, 1L << 34, "Java 17", 0.1);

    private final List<BlocksPoint> points = BlocksPoint.of(
            List.of(sample(BlockWork.CACHED, LARGE, 40, 0), sample(BlockWork.BROADCAST, SMALL, 1, 0)),
            List.of(sample(BlockWork.CACHED, LARGE, 10, LARGE), sample(BlockWork.BROADCAST, SMALL, 2, SMALL)));
    private final Report report =
            new BlocksResults("4.2.0", CableKind.SEND, Optional.of(network()), MACHINE, MACHINE, points).report();

    private static HeldNetwork network() {
        Bandwidth rate = new Bandwidth.Converter().convert("71.4mbit");
        return new HeldNetwork(
                "like Macs of 14 cores with 1 GbE and a Thunderbolt 5 cable", rate, Optional.of(rate), 1500, 0.5, "");
    }

    private static BlocksSample sample(BlockWork work, long bytes, long millis, long rdmaBytes) {
        return new BlocksSample(
                work, bytes, millis * MILLI, rdmaBytes, new CpuNanos(millis * MILLI, 0, 5 * MILLI), 2 * bytes);
    }

    @Test
    void eachKindAndSizeIsCompared() {
        assertThat(points).hasSize(2);
        assertThat(points.get(0).timeRatio()).isCloseTo(0.25, within(1e-9));
        assertThat(points.get(0).cpuRatio().orElseThrow()).isCloseTo(0.25, within(1e-9));
        assertThat(points.get(1).timeRatio()).isCloseTo(2, within(1e-9));
    }

    @Test
    void theCpuTimeOfSmallOnesIsNotCompared() {
        assertThat(points.get(1).cpuRatio()).isEmpty();
    }

    @Test
    void percentilesAreOfTheNearestRank() {
        List<BlocksSample> hundred = LongStream.rangeClosed(1, 100)
                .mapToObj(millis -> sample(BlockWork.BROADCAST, SMALL, millis, 0))
                .toList();

        assertThat(BlocksPoint.p99Millis(new SampleSet<>(hundred))).isCloseTo(99, within(1e-9));
        assertThat(BlocksPoint.p99Millis(new SampleSet<>(hundred.subList(0, 3))))
                .isCloseTo(3, within(1e-9));
    }

    @Test
    void theTableAndThePageShowEveryPoint() {
        assertThat(report.toText()).contains("cached", "broadcast", "100%", "spark.boltshuffle.blocks=all");
        assertThat(report.toHtml()).contains("<table", "cached", "broadcast", "Macs of 14 cores");
        assertThat(report.faults()).isEmpty();
    }

    @Test
    void programsReadTheSameFigures() throws Exception {
        JsonNode json = new ObjectMapper().readTree(Json.write(report.toJson()));

        assertThat(json.at("/network/mtuBytes").asInt()).isEqualTo(1500);
        assertThat(json.at("/points/0/work").asText()).isEqualTo("cached");
        assertThat(json.at("/points/0/timeRatio").asDouble()).isCloseTo(0.25, within(1e-9));
        assertThat(json.at("/points/0/boltshuffle/rdmaShare/median").asDouble()).isEqualTo(1);
        assertThat(json.at("/points/0/stock/heapRatio/median").asDouble()).isCloseTo(2, within(1e-9));
        assertThat(json.at("/points/1/cpuRatio").isMissingNode()).isTrue();
    }
}
