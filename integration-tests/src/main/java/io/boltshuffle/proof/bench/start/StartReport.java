package io.boltshuffle.proof.bench.start;

import io.boltshuffle.cli.base.Html;
import io.boltshuffle.cli.option.ClusterCommand;
import io.boltshuffle.draw.TextTable;
import io.boltshuffle.proof.bench.report.MachineState;
import io.boltshuffle.proof.bench.report.Samples;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What was measured.
 *
 * @param stock in the order of the rounds, as is {@code boltshuffle}
 */
public record StartReport(
        String spark, MachineState before, MachineState after, List<StartSample> stock, List<StartSample> boltshuffle)
        implements ClusterCommand.Report {

    private enum Quantity {
        SPARK("until Spark was there"),
        JOB("until the job was over"),
        WHOLE("until the process had ended");

        private final String label;

        Quantity(String label) {
            this.label = label;
        }

        Samples seconds(List<StartSample> samples) {
            return Samples.of(
                    samples.stream().map(sample -> millis(sample) / 1_000.0).toList());
        }

        private long millis(StartSample sample) {
            return switch (this) {
                case SPARK -> sample.sparkMillis();
                case JOB -> sample.jobMillis();
                case WHOLE -> sample.wholeMillis();
            };
        }
    }

    @Override
    public String toText() {
        return String.join(
                System.lineSeparator(),
                circumstances(),
                table().toText(),
                "",
                explanation(),
                "before: " + before.toText(),
                "after:  " + after.toText());
    }

    public String toHtml() {
        return Html.page(
                "bolt bench start",
                List.of(
                        Html.paragraph(circumstances()),
                        table().toHtml(),
                        Html.paragraph(explanation()),
                        Html.heading("Machine"),
                        Html.paragraph("before: " + before.toText()),
                        Html.paragraph("after: " + after.toText())));
    }

    private String circumstances() {
        return "Spark " + spark + ", an application of one job that shuffles nothing";
    }

    private String explanation() {
        return "Seconds, median (least .. most) of " + stock.size() + " applications each, by turns. The agents run.";
    }

    private TextTable table() {
        return new TextTable(
                List.of("", "stock", "boltshuffle", "of stock's"),
                List.of(Quantity.values()).stream()
                        .map(quantity -> {
                            Samples ofStock = quantity.seconds(stock);
                            Samples ours = quantity.seconds(boltshuffle);
                            return List.of(
                                    quantity.label,
                                    text(ofStock),
                                    text(ours),
                                    String.format(Locale.ROOT, "%.2f", ours.median() / ofStock.median()));
                        })
                        .toList());
    }

    private static String text(Samples seconds) {
        return String.format(Locale.ROOT, "%.2f (%.2f .. %.2f)", seconds.median(), seconds.least(), seconds.most());
    }

    @Override
    public Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("spark", spark);
        json.put("before", before.toJson());
        json.put("after", after.toJson());
        for (Quantity quantity : Quantity.values()) {
            json.put(
                    quantity.name().toLowerCase(Locale.ROOT) + "Seconds",
                    Map.of(
                            "stock", quantity.seconds(stock).toJson(),
                            "boltshuffle", quantity.seconds(boltshuffle).toJson()));
        }
        return json;
    }

    /** An application that ended has no faults: how long is too long depends on the machine. */
    @Override
    public List<String> faults() {
        return List.of();
    }
}
