package io.boltshuffle.proof.bench.compare;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * The sums of all medians: what a user waits who runs each piece once.
 *
 * @param wallRatio of boltshuffle's time to stock's
 * @param tunedRatio of boltshuffle's time to that of stock tuned by hand; NaN where that took no part
 * @param cpuRatio of the CPU time of executors and agents
 * @param taskCpuRatio of the CPU time of the threads that run tasks
 * @param worst the piece with the highest ratio of time to stock
 */
record Totals(
        double stockSeconds,
        double wallRatio,
        double tunedRatio,
        double cpuRatio,
        double taskCpuRatio,
        String worst,
        double worstRatio) {

    static Totals of(List<Comparison> comparisons) {
        Comparison worst = comparisons.stream()
                .max(Comparator.comparingDouble(Comparison::wallRatio))
                .orElseThrow(() -> new IllegalArgumentException("nothing was compared"));
        boolean tuned = comparisons.stream().map(Comparison::tuned).allMatch(Optional::isPresent);
        double wall = sum(comparisons, each -> each.boltshuffle().wallSeconds().median());
        double stock = sum(comparisons, each -> each.stock().wallSeconds().median());
        return new Totals(
                stock,
                wall / stock,
                tuned
                        ? wall
                                / sum(
                                        comparisons,
                                        each -> each.tuned()
                                                .orElseThrow()
                                                .wallSeconds()
                                                .median())
                        : Double.NaN,
                sum(comparisons, each -> each.boltshuffle().cpuSeconds().median())
                        / sum(comparisons, each -> each.stock().cpuSeconds().median()),
                sum(comparisons, each -> each.boltshuffle().taskCpuSeconds().median())
                        / sum(comparisons, each -> each.stock().taskCpuSeconds().median()),
                worst.title(),
                worst.wallRatio());
    }

    private static double sum(List<Comparison> comparisons, ToDoubleFunction<Comparison> quantity) {
        return comparisons.stream().mapToDouble(quantity).sum();
    }

    String toText() {
        return String.format(
                Locale.ROOT,
                "total: %.2f of stock's %.1f s%s; CPU %.2f of stock's, of the tasks alone %.2f; the highest ratio of "
                        + "one piece is %.2f (%s)",
                wallRatio,
                stockSeconds,
                Double.isNaN(tunedRatio) ? "" : String.format(Locale.ROOT, ", %.2f of stock tuned by hand", tunedRatio),
                cpuRatio,
                taskCpuRatio,
                worstRatio,
                worst);
    }

    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("stockSeconds", stockSeconds);
        json.put("wallRatio", wallRatio);
        if (!Double.isNaN(tunedRatio)) {
            json.put("tunedWallRatio", tunedRatio);
        }
        json.put("cpuRatio", cpuRatio);
        json.put("taskCpuRatio", taskCpuRatio);
        json.put("worst", worst);
        json.put("worstRatio", worstRatio);
        return json;
    }
}
