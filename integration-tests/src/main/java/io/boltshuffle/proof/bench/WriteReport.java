package io.boltshuffle.proof.bench;

import io.boltshuffle.bench.WriteSample;
import io.boltshuffle.bench.WriterKind;
import io.boltshuffle.cli.option.ClusterCommand;
import io.boltshuffle.draw.TextTable;
import io.boltshuffle.proof.bench.report.MachineState;
import io.boltshuffle.proof.bench.report.Samples;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Medians of each shape and codec, and the comparison of the plugin's writer with the better of Spark's two. */
public record WriteReport(MachineState machine, List<WriteSample> samples) implements ClusterCommand.Report {

    /** The measurements under the same circumstances. */
    private record Row(String shape, String codec, Samples stock, Samples serialized, Samples ours) {
        double toStock() {
            return ours.median() / stock.median();
        }

        double toBetter() {
            return ours.median() / Math.min(stock.median(), serialized.median());
        }
    }

    private List<Row> rows() {
        Map<List<String>, List<WriteSample>> groups = new LinkedHashMap<>();
        samples.forEach(
                sample -> groups.computeIfAbsent(List.of(sample.shape(), sample.codec()), key -> new ArrayList<>())
                        .add(sample));
        return groups.entrySet().stream()
                .map(group -> new Row(
                        group.getKey().get(0),
                        group.getKey().get(1),
                        of(WriterKind.STOCK, group.getValue()),
                        of(WriterKind.SERIALIZED, group.getValue()),
                        of(WriterKind.OURS, group.getValue())))
                .toList();
    }

    private static Samples of(WriterKind kind, List<WriteSample> group) {
        return Samples.of(group.stream()
                .filter(sample -> sample.writer() == kind)
                .map(WriteSample::seconds)
                .toList());
    }

    @Override
    public String toText() {
        List<List<String>> lines = rows().stream()
                .map(row -> List.of(
                        row.shape() + ", " + row.codec(),
                        seconds(row.stock()),
                        seconds(row.serialized()),
                        seconds(row.ours()),
                        String.format("%.2f", row.toStock()),
                        String.format("%.2f", row.toBetter())))
                .toList();
        List<String> header = List.of(
                "maps x partitions",
                WriterKind.STOCK.title(),
                WriterKind.SERIALIZED.title(),
                WriterKind.OURS.title(),
                "to stock",
                "to the better");
        return machine.toText() + System.lineSeparator() + "Seconds: median (least to most)" + System.lineSeparator()
                + new TextTable(header, lines).toText();
    }

    private static String seconds(Samples samples) {
        return String.format("%.2f (%.2f to %.2f)", samples.median(), samples.least(), samples.most());
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
