package io.boltshuffle.proof.bench.publish;

import io.boltshuffle.bench.CpuNanos;
import io.boltshuffle.bench.HeapFigures;
import io.boltshuffle.bench.PieceSample;
import io.boltshuffle.bench.TaskFigures;
import io.boltshuffle.bench.write.RecordKind;
import io.boltshuffle.bench.write.WriteFigures;
import io.boltshuffle.bench.write.WriteSample;
import io.boltshuffle.bench.write.WriteShape;
import io.boltshuffle.bench.write.WriterKind;
import io.boltshuffle.proof.bench.WriteReport;
import io.boltshuffle.proof.bench.baseline.Baseline;
import io.boltshuffle.proof.bench.blocks.ExampleBlocksReport;
import io.boltshuffle.proof.bench.compare.Aim;
import io.boltshuffle.proof.bench.compare.ComparisonReport;
import io.boltshuffle.proof.bench.compare.Contender;
import io.boltshuffle.proof.bench.compare.Measured;
import io.boltshuffle.proof.bench.fetch.ExampleFetchReport;
import io.boltshuffle.proof.bench.network.Bandwidth;
import io.boltshuffle.proof.bench.network.HeldNetwork;
import io.boltshuffle.proof.bench.report.MachineState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** What the benchmarks print with {@code --json}, with every field that there can be. */
final class ExampleReports {
    private static final long SECOND = 1_000_000_000;
    private static final MachineState MACHINE =
            new MachineState(Instant.EPOCH, "Linux", "a processor", 2, 1L << 34, "Java 17", 0.1);

    private ExampleReports() {}

    /** Of {@code bench job}; {@code bench stage} prints the same fields. */
    static Map<String, Object> comparison() {
        List<Measured> measured = new ArrayList<>();
        long seconds = 8;
        for (Contender contender : Contender.all(true, List.of(Baseline.NIO))) {
            measured.add(measured("q1", contender, seconds));
            seconds /= 2;
        }
        return document(
                "bolt bench job",
                new ComparisonReport(
                                "bench job",
                                "Spark 4.2.0, 2 hosts",
                                Optional.of(network()),
                                Aim.NOT_SLOWER,
                                MACHINE,
                                MACHINE,
                                measured)
                        .toJson());
    }

    /** The same of a run that was stopped when one piece had been measured with one shuffle. */
    static Map<String, Object> unfinishedComparison() {
        return document(
                "bolt bench job",
                new ComparisonReport(
                                "bench job",
                                "Spark 4.2.0, 2 hosts",
                                Optional.empty(),
                                Aim.NOT_SLOWER,
                                MACHINE,
                                MACHINE,
                                List.of(measured("q1", Contender.BOLTSHUFFLE, 1)))
                        .toJson());
    }

    private static HeldNetwork network() {
        Bandwidth rate = new Bandwidth.Converter().convert("71.4mbit");
        return new HeldNetwork(
                "like Macs of 14 cores with 1 GbE and a Thunderbolt 5 cable", rate, Optional.of(rate), 1500, 0.5, "");
    }

    private static Measured measured(String title, Contender contender, long seconds) {
        CpuNanos cpu = contender.equals(Contender.BOLTSHUFFLE)
                ? new CpuNanos(SECOND / 2, SECOND / 2, SECOND)
                : new CpuNanos(2 * SECOND, 0, 0);
        return new Measured(
                title,
                contender,
                new PieceSample(
                        title,
                        "answer",
                        seconds * SECOND,
                        cpu,
                        new HeapFigures(1_000_000, 3, 40),
                        new TaskFigures(seconds * 1_000, 10_000, SECOND / 4, 100, 64_000_000)),
                contender.equals(Contender.BOLTSHUFFLE) ? OptionalDouble.of(1) : OptionalDouble.empty());
    }

    static Map<String, Object> write() {
        String shape = new WriteShape(RecordKind.SQL, 8, 200, 1_000, 4).title();
        WriteFigures figures = new WriteFigures(1_500_000_000, 250, 64 << 20);
        Map<?, ?> report = (Map<?, ?>) new WriteReport(
                        "4.2.0",
                        MACHINE,
                        List.of(
                                new WriteSample(shape, "lz4", WriterKind.STOCK, 4, figures),
                                new WriteSample(shape, "lz4", WriterKind.SERIALIZED, 2, figures),
                                new WriteSample(shape, "lz4", WriterKind.OURS, 1, figures)))
                .toJson();
        return document("bolt bench write", report);
    }

    static Map<String, Object> fetch() {
        return document("bolt bench fetch", ExampleFetchReport.of(MACHINE).toJson());
    }

    static Map<String, Object> blocks() {
        return document("bolt bench blocks", ExampleBlocksReport.of(MACHINE).toJson());
    }

    /** Adds what every document has. */
    private static Map<String, Object> document(String command, Map<?, ?> report) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("command", command);
        document.put("spark", "4.2.0");
        document.put("unfinished", false);
        report.forEach((name, value) -> document.put(name.toString(), value));
        return document;
    }
}
