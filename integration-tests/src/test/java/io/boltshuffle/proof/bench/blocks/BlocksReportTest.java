package io.boltshuffle.proof.bench.blocks;

import static io.boltshuffle.proof.bench.blocks.ExampleBlocksReport.sample;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.boltshuffle.bench.blocks.BlockWork;
import io.boltshuffle.bench.blocks.BlocksSample;
import io.boltshuffle.cli.base.Json;
import io.boltshuffle.proof.bench.report.MachineState;
import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class BlocksReportTest {
    private static final long LARGE = 100_000_000;
    private static final long SMALL = 10_000;
    private static final MachineState MACHINE =
            new MachineState(Instant.EPOCH, "Linux", "a processor", 2, 1L << 34, "Java 17", 0.1);

    private final List<BlocksPoint> points = BlocksPoint.of(
            List.of(sample(BlockWork.CACHED, LARGE, 40, 0), sample(BlockWork.BROADCAST, SMALL, 1, 0)),
            List.of(sample(BlockWork.CACHED, LARGE, 10, LARGE), sample(BlockWork.BROADCAST, SMALL, 2, SMALL)));
    private final BlocksReport report = ExampleBlocksReport.of(points, MACHINE);

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

        assertThat(new BlocksPoint.Figures(hundred).p99Millis()).isCloseTo(99, within(1e-9));
        assertThat(new BlocksPoint.Figures(hundred.subList(0, 3)).p99Millis()).isCloseTo(3, within(1e-9));
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
