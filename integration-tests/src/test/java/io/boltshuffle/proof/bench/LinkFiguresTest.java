package io.boltshuffle.proof.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.cli.base.Json;
import io.boltshuffle.cli.base.Report;
import io.boltshuffle.cli.verify.ladder.RoundTrips;
import io.boltshuffle.cli.verify.ladder.StreamCost;
import io.boltshuffle.cli.verify.ladder.StreamSpeed;
import io.boltshuffle.proof.bench.LinkBench.JavaEnd;
import io.boltshuffle.proof.bench.LinkBench.Round;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LinkFiguresTest {

    private static Report report(double gigabytesPerSecond, StreamCost cost, double roundTrip) {
        JavaEnd end = new JavaEnd(
                new RoundTrips(4096, 1000, roundTrip, roundTrip, roundTrip, roundTrip, roundTrip),
                new StreamSpeed(1 << 20, 8 << 20, gigabytesPerSecond),
                cost);
        NativeBench.Figures c = new NativeBench.Figures(3, new NativeBench.RoundTrip(20));
        return LinkFigures.of("send", List.of(new Round(c, List.of(end, end), 0.1)))
                .report();
    }

    @ParameterizedTest
    @CsvSource({
        "2.5, 0.01, 0.019, 0.109, 0.002, 24.9, true",
        "2.3, 0.01, 0.019, 0.109, 0.002, 24.9, false",
        "2.5, 0.01, 0.020, 0.109, 0.002, 24.9, false",
        "2.5, 0.01, 0.019, 0.120, 0.002, 24.9, false",
        "2.5, 0.01, 0.019, 0.109, 0.012, 24.9, false",
        "2.5, 0.01, 0.019, 0.109, 0.002, 25.1, false"
    })
    void holdsIfEveryFigureKeepsItsLimit(
            double speed,
            double fetching,
            double serving,
            double checksums,
            double idle,
            double roundTrip,
            boolean holds) {
        Report report = report(speed, new StreamCost(fetching, serving, checksums, idle), roundTrip);

        assertThat(report.faults().isEmpty()).isEqualTo(holds);
        assertThat(report.toText().contains("MISSED")).isNotEqualTo(holds);
    }

    @Test
    void theTableShowsWhatWasComparedWithWhat() {
        assertThat(report(2.7, new StreamCost(0.01, 0.005, 0.105, 0.001), 23)
                        .toText()
                        .lines())
                .anySatisfy(line -> assertThat(line).containsSubsequence("GB/s", "3.00", "2.70", "90 %", ">= 80 %"))
                .anySatisfy(line -> assertThat(line).containsSubsequence("both JVMs", "0.0150", "< 0.0300", "holds"))
                .anySatisfy(line -> assertThat(line).containsSubsequence("checksums", "0.10", "105 %", "<= 110 %"))
                .anySatisfy(line -> assertThat(line).containsSubsequence("round trip", "20", "23", "+3.00", "< +5.00"));
    }

    @Test
    void jsonHasEveryFigure() {
        String json = Json.write(
                report(2.7, new StreamCost(0.01, 0.005, 0.105, 0.001), 23).toJson());

        assertThat(json).contains("\"mode\" : \"send\"", "\"limit\" : \"RATIO_AT_LEAST\"", "\"holds\" : true");
    }
}
