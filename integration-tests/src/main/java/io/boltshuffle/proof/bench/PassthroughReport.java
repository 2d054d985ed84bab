package io.boltshuffle.proof.bench;

import io.boltshuffle.proof.bench.report.Samples;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The cost of the plugin's route by Netty: read stages under stock Spark and under the plugin.
 *
 * @param stockMibPerSecond remote bytes of a read stage divided by its wall time
 */
public record PassthroughReport(
        String sparkRelease,
        long sizeBytes,
        Samples stockMillis,
        Samples boltshuffleMillis,
        Samples stockMibPerSecond,
        Samples boltshuffleMibPerSecond) {

    public String toTable() {
        return String.join(
                System.lineSeparator(),
                List.of(
                        String.format(Locale.ROOT, "%-24s%26s%26s%8s", "read stage", "stock", "boltshuffle", "ratio"),
                        line("wall time, ms", stockMillis, boltshuffleMillis),
                        line("remote fetch, MiB/s", stockMibPerSecond, boltshuffleMibPerSecond),
                        "median (least .. most) of " + stockMillis.values().size() + " reads each"));
    }

    public Map<String, Object> toJson() {
        return Map.of(
                "spark",
                sparkRelease,
                "sizeBytes",
                sizeBytes,
                "stock",
                Map.of("millis", stockMillis.toJson(), "mibPerSecond", stockMibPerSecond.toJson()),
                "boltshuffle",
                Map.of(
                        "millis", boltshuffleMillis.toJson(),
                        "mibPerSecond", boltshuffleMibPerSecond.toJson()),
                "throughputRatio",
                boltshuffleMibPerSecond.median() / stockMibPerSecond.median());
    }

    private static String line(String label, Samples stock, Samples boltshuffle) {
        return String.format(
                Locale.ROOT,
                "%-24s%26s%26s%8.3f",
                label,
                text(stock),
                text(boltshuffle),
                boltshuffle.median() / stock.median());
    }

    private static String text(Samples samples) {
        return String.format(Locale.ROOT, "%.0f (%.0f .. %.0f)", samples.median(), samples.least(), samples.most());
    }
}
