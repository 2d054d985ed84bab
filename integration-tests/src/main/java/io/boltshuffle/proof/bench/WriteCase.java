package io.boltshuffle.proof.bench;

import io.boltshuffle.cli.base.Report;
import io.boltshuffle.proof.bench.inspark.write.WriteSample;
import io.boltshuffle.proof.bench.inspark.write.WriterKind;
import io.boltshuffle.proof.bench.report.Columns;
import io.boltshuffle.proof.bench.report.MachineState;
import io.boltshuffle.proof.bench.report.Quantity;
import io.boltshuffle.proof.bench.report.SampleSet;
import io.boltshuffle.proof.bench.report.SparkRelease;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One shape with one codec, by every writer: the plugin's is compared with the better of Spark's two. */
record WriteCase(
        String shape,
        String codec,
        SampleSet<WriteSample> stock,
        SampleSet<WriteSample> serialized,
        SampleSet<WriteSample> boltshuffle) {
    private static final Quantity<WriteSample> SECONDS = Quantity.of("seconds", "%.2f", WriteSample::seconds);
    private static final Quantity<WriteSample> TASK_CPU =
            Quantity.of("taskCpuSeconds", "%.2f", sample -> sample.figures().cpuNanos() / 1e9);
    private static final Quantity<WriteSample> GC =
            Quantity.of("gcSeconds", "%.2f", sample -> sample.figures().gcMillis() / 1e3);
    private static final Quantity<WriteSample> SPILLED =
            Quantity.of("spilledMebibytes", "%.0f", sample -> sample.figures().spilledBytes() / (double) (1 << 20));
    private static final List<Quantity<WriteSample>> ALL = List.of(SECONDS, TASK_CPU, GC, SPILLED);

    /** Returns the report. It has no faults, because a busy machine may distort the measurement. */
    static Report report(String spark, MachineState machine, List<WriteSample> samples) {
        List<WriteCase> cases = of(samples);
        return new Report("bolt bench write")
                .line(SparkRelease.described(spark) + "; " + machine.toText())
                .line("Seconds: median (least .. most). Of tasks' CPU, GC of all tasks and spills: medians.")
                .table(columns().table(cases))
                .figure("machine", machine.toJson())
                .figure("cases", cases.stream().map(WriteCase::toJson).toList());
    }

    /** Returns the cases. One that has not been measured with every writer is left out. */
    private static List<WriteCase> of(List<WriteSample> samples) {
        Map<List<String>, Map<WriterKind, List<WriteSample>>> groups = samples.stream()
                .collect(Collectors.groupingBy(
                        sample -> List.of(sample.shape(), sample.codec()),
                        LinkedHashMap::new,
                        Collectors.groupingBy(WriteSample::writer)));
        return groups.entrySet().stream()
                .filter(group -> group.getValue().size() == WriterKind.values().length)
                .map(group -> new WriteCase(
                        group.getKey().get(0),
                        group.getKey().get(1),
                        figures(group.getValue(), WriterKind.STOCK),
                        figures(group.getValue(), WriterKind.SERIALIZED),
                        figures(group.getValue(), WriterKind.OURS)))
                .toList();
    }

    private static SampleSet<WriteSample> figures(Map<WriterKind, List<WriteSample>> group, WriterKind kind) {
        return new SampleSet<>(group.getOrDefault(kind, List.of()));
    }

    private static Columns<WriteCase> columns() {
        return new Columns<WriteCase>()
                .and("maps x partitions", each -> each.shape + ", " + each.codec)
                .and(WriterKind.STOCK.title(), each -> each.stock.spread(SECONDS))
                .and(WriterKind.SERIALIZED.title(), each -> each.serialized.spread(SECONDS))
                .and(WriterKind.OURS.title(), each -> each.boltshuffle.spread(SECONDS))
                .andRatio("to stock", WriteCase::toStock)
                .andRatio("to the better", WriteCase::toBetter)
                .and("tasks' CPU s", each -> each.medians(TASK_CPU))
                .and("GC s", each -> each.medians(GC))
                .and("spilled MiB", each -> each.medians(SPILLED));
    }

    private String medians(Quantity<WriteSample> quantity) {
        return Stream.of(stock, serialized, boltshuffle)
                .map(figures -> figures.text(quantity))
                .collect(Collectors.joining(" / "));
    }

    private double toStock() {
        return boltshuffle.median(SECONDS) / stock.median(SECONDS);
    }

    private double toBetter() {
        return boltshuffle.median(SECONDS) / Math.min(stock.median(SECONDS), serialized.median(SECONDS));
    }

    private Map<String, Object> toJson() {
        return Map.of(
                "shape", shape,
                "codec", codec,
                "stock", stock.toJson(ALL),
                "serialized", serialized.toJson(ALL),
                "boltshuffle", boltshuffle.toJson(ALL),
                "toStock", toStock(),
                "toBetter", toBetter());
    }
}
