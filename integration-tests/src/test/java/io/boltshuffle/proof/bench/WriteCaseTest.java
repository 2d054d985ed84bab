package io.boltshuffle.proof.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.boltshuffle.cli.base.Json;
import io.boltshuffle.cli.base.Report;
import io.boltshuffle.proof.bench.inspark.write.RecordKind;
import io.boltshuffle.proof.bench.inspark.write.WriteFigures;
import io.boltshuffle.proof.bench.inspark.write.WriteSample;
import io.boltshuffle.proof.bench.inspark.write.WriteShape;
import io.boltshuffle.proof.bench.inspark.write.WriterKind;
import io.boltshuffle.proof.bench.report.MachineState;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class WriteCaseTest {
    private static final MachineState MACHINE =
            new MachineState(Instant.EPOCH, "Linux", "a processor", 2, 1L << 34, "Java 17", 0.1);
    private static final WriteFigures SPILLED = new WriteFigures(1_500_000_000, 250, 64 << 20);
    private static final WriteFigures IN_MEMORY = new WriteFigures(500_000_000, 50, 0);

    private static List<WriteSample> samples(RecordKind records) {
        String shape = new WriteShape(records, 8, 200, 1_000, 4).title();
        return Stream.of(
                        new WriteSample(shape, "lz4", WriterKind.STOCK, 4, IN_MEMORY),
                        new WriteSample(shape, "lz4", WriterKind.SERIALIZED, 2, SPILLED),
                        new WriteSample(shape, "lz4", WriterKind.OURS, 1, IN_MEMORY))
                .toList();
    }

    private static Report report() {
        return WriteCase.report(
                "4.2.0",
                MACHINE,
                Stream.concat(samples(RecordKind.SQL).stream(), samples(RecordKind.KRYO).stream())
                        .toList());
    }

    @Test
    void rowsAndObjectsAreCasesOfTheirOwn() {
        assertThat(report().toText().lines())
                .filteredOn(line -> line.contains("lz4"))
                .satisfiesExactly(
                        row -> assertThat(row).contains("8 x 200, 1,000 rows of 4 longs, lz4"),
                        row -> assertThat(row).contains("8 x 200, 1,000 Kryo objects of 4 longs, lz4"));
    }

    @Test
    void spillsCpuAndCollectionsStandBesideTheTime() {
        assertThat(report().toText())
                .contains("0.25", "0.50", "0.50 / 1.50 / 0.50", "0.05 / 0.25 / 0.05", "0 / 64 / 0");
    }

    @Test
    void theHeadSaysWhichSparkAndWhichMachine() {
        assertThat(report().toText()).startsWith("Spark 4.2.0; 1970-01-01T00:00:00Z: 2 cores of a processor");
    }

    @Test
    void ofAnUnfinishedRunOnlyWhatEveryWriterDidIsShown() {
        List<WriteSample> begun = samples(RecordKind.SQL).subList(0, 2);
        Report unfinished = WriteCase.report(
                "4.2.0",
                MACHINE,
                Stream.concat(begun.stream(), samples(RecordKind.KRYO).stream()).toList());

        assertThat(unfinished.toText()).contains("Kryo objects").doesNotContain("rows of 4 longs");
    }

    @Test
    void theJsonHasThemByWriter() throws Exception {
        JsonNode json = new ObjectMapper().readTree(Json.write(report().toJson()));

        assertThat(json.at("/cases/1/toStock").asDouble()).isCloseTo(0.25, within(1e-9));
        assertThat(json.at("/cases/1/toBetter").asDouble()).isCloseTo(0.5, within(1e-9));
        assertThat(json.at("/cases/1/serialized/spilledMebibytes/median").asDouble())
                .isCloseTo(64, within(1e-9));
        assertThat(json.at("/cases/1/boltshuffle/seconds/median").asDouble()).isCloseTo(1, within(1e-9));
    }
}
