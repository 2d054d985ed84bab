package io.boltshuffle.proof.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.boltshuffle.cli.base.Json;
import io.boltshuffle.cli.cluster.CableKind;
import io.boltshuffle.cli.cluster.ProcessFigures;
import io.boltshuffle.proof.bench.compare.Cut;
import io.boltshuffle.proof.bench.report.MachineState;
import io.boltshuffle.proof.bench.report.Samples;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class VerdictTest {
    private static final long MEGABYTE = 1_000_000;
    private static final double QUIET = 0.001;

    private static ProcessFigures holding(long megabytes, long threads, long sockets) {
        return new ProcessFigures(0, megabytes * MEGABYTE, sockets + 100, sockets, threads, 0);
    }

    private static ScalePoint point(int hosts, ProcessFigures few, ProcessFigures many, ProcessFigures rest) {
        return new ScalePoint(
                hosts,
                1,
                holding(50, 10, 3),
                few,
                many,
                rest,
                QUIET,
                Samples.of(List.of(1.0, 2.0)),
                OptionalDouble.of(1));
    }

    private static ScalePoint point(int hosts, ProcessFigures loaded) {
        return point(hosts, loaded, loaded, holding(60, 10, 5));
    }

    private static List<String> missed(ScalePoint... points) {
        return Verdict.on(List.of(points)).stream()
                .filter(verdict -> !verdict.holds())
                .map(Verdict::line)
                .toList();
    }

    @Test
    void whatGrowsInAStraightLineWithPeersHolds() {
        assertThat(missed(point(2, holding(60, 12, 6)), point(3, holding(70, 22, 16)), point(4, holding(80, 32, 26))))
                .isEmpty();
    }

    @Test
    void socketsOfAnyTwoOfThePeersAreMissed() {
        assertThat(missed(point(2, holding(60, 12, 10)), point(3, holding(60, 12, 20)), point(4, holding(60, 12, 40))))
                .singleElement()
                .asString()
                .contains("sockets grow no faster than peers", "+10.0");
    }

    @Test
    void hostsNeedNotBeCountedOneByOne() {
        assertThat(missed(point(2, holding(60, 12, 10)), point(4, holding(60, 12, 30)), point(8, holding(60, 12, 70))))
                .isEmpty();
    }

    @Test
    void threadsForBlocksAreMissed() {
        assertThat(missed(point(2, holding(60, 12, 6), holding(60, 40, 6), holding(60, 10, 5))))
                .singleElement()
                .asString()
                .contains("threads do not grow with blocks", "+28.0");
    }

    @Test
    void memoryAtRestIsThatBesideTheSlabBeforeAndAfter() {
        assertThat(missed(point(2, holding(120, 12, 6), holding(120, 12, 6), holding(99, 10, 5))))
                .isEmpty();
        assertThat(missed(point(2, holding(120, 12, 6), holding(120, 12, 6), holding(100, 10, 5))))
                .singleElement()
                .asString()
                .contains("less than 100 MB", "100.0 MB");
    }

    @Test
    void aHundredthOfACoreAtRestIsMissed() {
        ScalePoint quiet = point(2, holding(60, 12, 6));
        ScalePoint busy = new ScalePoint(
                2,
                2,
                quiet.fresh(),
                quiet.few(),
                quiet.many(),
                quiet.rest(),
                0.01,
                quiet.gigabytesPerSecond(),
                quiet.rdmaShare());

        assertThat(missed(quiet, busy)).singleElement().asString().contains("1 % of a core", "1.00 %");
    }

    @Test
    void theReportShowsFiguresAndVerdicts() throws Exception {
        MachineState machine = new MachineState(Instant.EPOCH, "Linux", "a processor", 2, 1L << 34, "Java 17", 0.1);
        ScalePlan plan = new ScalePlan(
                CableKind.SEND,
                List.of(2),
                List.of(1),
                1 << 20,
                new Cut(4, 4),
                new Cut(50, 50),
                1,
                Duration.ofSeconds(1));
        ScaleReport report = new ScaleReport(
                "4.2.0",
                plan,
                machine,
                machine,
                List.of(point(2, holding(60, 12, 6), holding(60, 40, 6), holding(70, 10, 5))));

        assertThat(report.toText())
                .contains("2 x 1", "1.50 (1.00 .. 2.00)", "50 / 60 / 60 / 70", "10 / 12 / 40 / 10")
                .contains("MISSED: threads do not grow with blocks");
        assertThat(report.faults()).hasSize(1);
        assertThat(report.toHtml()).contains("<svg", "bolt bench scale").doesNotContain("http", "src=", "href=");
        JsonNode json = new ObjectMapper().readTree(Json.write(report.toJson()));
        assertThat(json.at("/points/0/manyBlocks/threads").asInt()).isEqualTo(40);
        assertThat(json.at("/verdicts/0/holds").asBoolean()).isTrue();
    }
}
