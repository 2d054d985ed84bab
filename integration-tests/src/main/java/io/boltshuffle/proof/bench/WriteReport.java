package io.boltshuffle.proof.bench;

import io.boltshuffle.bench.write.WriteSample;
import io.boltshuffle.bench.write.WriterKind;
import io.boltshuffle.cli.option.ClusterCommand;
import io.boltshuffle.draw.TextTable;
import io.boltshuffle.proof.bench.report.MachineState;
import io.boltshuffle.proof.bench.report.Samples;
import io.boltshuffle.proof.bench.report.SparkRelease;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Medians of each shape and codec, and the comparison of the plugin's writer with the better of Spark's two. */
public record WriteReport(String sparkRelease, MachineState machine, List<WriteSample> samples)
        implements ClusterCommand.Report {

    /** The measurements under the same circumstances. */
    private record Row(String shape, String codec, Figures stock, Figures serialized, Figures ours) {
        double toStock() {
            return ours.seconds().median() / stock.seconds().median();
        }

        double toBetter() {
            return ours.seconds().median()
                    / Math.min(stock.seconds().median(), serialized.seconds().median());
        }
    }

    /** All measurements with one writer. */
    private record Figures(List<WriteSample> samples) {
        Samples seconds() {
            return of(WriteSample::seconds);
        }

        Samples taskCpuSeconds() {
            return of(sample -> sample.figures().cpuNanos() / 1e9);
        }

        Samples gcSeconds() {
            return of(sample -> sample.figures().gcMillis() / 1e3);
        }

        Samples spilledMebibytes() {
            return of(sample -> sample.figures().spilledBytes() / (double) (1 << 20));
        }

        private Samples of(ToDoubleFunction<WriteSample> quantity) {
            return Samples.of(samples.stream().map(quantity::applyAsDouble).toList());
        }

        Map<String, Object> toJson() {
            return Map.of(
                    "seconds", seconds().toJson(),
                    "taskCpuSeconds", taskCpuSeconds().toJson(),
                    "gcSeconds", gcSeconds().toJson(),
                    "spilledMebibytes", spilledMebibytes().toJson());
        }
    }

    /** Returns the rows. One that has not been measured with every writer is left out. */
    private List<Row> rows() {
        Map<List<String>, List<WriteSample>> groups = new LinkedHashMap<>();
        samples.forEach(
                sample -> groups.computeIfAbsent(List.of(sample.shape(), sample.codec()), key -> new ArrayList<>())
                        .add(sample));
        return groups.entrySet().stream()
                .filter(group -> group.getValue().stream()
                                .map(WriteSample::writer)
                                .distinct()
                                .count()
                        == WriterKind.values().length)
                .map(group -> new Row(
                        group.getKey().get(0),
                        group.getKey().get(1),
                        of(WriterKind.STOCK, group.getValue()),
                        of(WriterKind.SERIALIZED, group.getValue()),
                        of(WriterKind.OURS, group.getValue())))
                .toList();
    }

    private static Figures of(WriterKind kind, List<WriteSample> group) {
        return new Figures(
                group.stream().filter(sample -> sample.writer() == kind).toList());
    }

    @Override
    public String toText() {
        List<List<String>> lines = rows().stream()
                .map(row -> List.of(
                        row.shape() + ", " + row.codec(),
                        seconds(row.stock()),
                        seconds(row.serialized()),
                        seconds(row.ours()),
                        format("%.2f", row.toStock()),
                        format("%.2f", row.toBetter()),
                        medians("%.2f", row, Figures::taskCpuSeconds),
                        medians("%.2f", row, Figures::gcSeconds),
                        medians("%.0f", row, Figures::spilledMebibytes)))
                .toList();
        List<String> header = List.of(
                "maps x partitions",
                WriterKind.STOCK.title(),
                WriterKind.SERIALIZED.title(),
                WriterKind.OURS.title(),
                "to stock",
                "to the better",
                "tasks' CPU s",
                "GC s",
                "spilled MiB");
        return SparkRelease.described(sparkRelease) + "; " + machine.toText() + System.lineSeparator()
                + "Seconds: median (least to most). Of tasks' CPU, GC of all tasks and spills: medians of the three."
                + System.lineSeparator()
                + new TextTable(header, lines).toText();
    }

    private static String seconds(Figures figures) {
        Samples samples = figures.seconds();
        return String.format(Locale.ROOT, "%.2f (%.2f to %.2f)", samples.median(), samples.least(), samples.most());
    }

    private static String medians(String format, Row row, Function<Figures, Samples> quantity) {
        return Stream.of(row.stock(), row.serialized(), row.ours())
                .map(figures -> format(format, quantity.apply(figures).median()))
                .collect(Collectors.joining(" / "));
    }

    private static String format(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }

    @Override
    public Object toJson() {
        return Map.of(
                "machine",
                machine.toJson(),
                "cases",
                rows().stream()
                        .map(row -> Map.of(
                                "shape", row.shape(),
                                "codec", row.codec(),
                                "stock", row.stock().toJson(),
                                "serialized", row.serialized().toJson(),
                                "boltshuffle", row.ours().toJson(),
                                "toStock", row.toStock(),
                                "toBetter", row.toBetter()))
                        .toList());
    }

    /** Returns no faults, because a busy machine may distort the measurement. */
    @Override
    public List<String> faults() {
        return List.of();
    }
}
