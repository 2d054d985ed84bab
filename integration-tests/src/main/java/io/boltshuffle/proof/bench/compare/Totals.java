package io.boltshuffle.proof.bench.compare;

import io.boltshuffle.proof.bench.report.SampleSet;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * The sums of all medians: what a user waits who runs each piece once.
 *
 * @param without the name of what runs without the plugin
 * @param wallRatio of boltshuffle's time to stock's
 * @param besideRatios of boltshuffle's time to that of stock in the other ways that took part in every piece
 * @param cpuRatio of the CPU time of executors and agents
 * @param taskCpuRatio of the CPU time of the threads that run tasks
 * @param sparkRatio of boltshuffle's time with an accelerator to that of stock Spark, if that ran each of the pieces
 * @param worst the piece with the highest ratio of time to stock
 */
record Totals(
        String without,
        double stockSeconds,
        double wallRatio,
        Map<Contender, Double> besideRatios,
        double cpuRatio,
        double taskCpuRatio,
        OptionalDouble sparkRatio,
        String worst,
        double worstRatio) {

    /**
     * @param comparisons with one accelerator, or with none
     * @param all among which are those without
     */
    static Totals of(List<Comparison> comparisons, List<Comparison> all) {
        Comparison worst = comparisons.stream()
                .max(Comparator.comparingDouble(Comparison::wallRatio))
                .orElseThrow(() -> new IllegalArgumentException("nothing was compared"));
        double wall = sum(comparisons, each -> each.boltshuffle().median(Cost.WALL));
        double stock = sum(comparisons, each -> each.stock().median(Cost.WALL));
        List<Comparison> spark =
                comparisons.stream().flatMap(each -> each.ofSpark(all).stream()).toList();
        return new Totals(
                comparisons.get(0).without(),
                stock,
                wall / stock,
                besideRatios(wall, comparisons),
                sum(comparisons, each -> each.boltshuffle().median(Cost.CPU))
                        / sum(comparisons, each -> each.stock().median(Cost.CPU)),
                sum(comparisons, each -> each.boltshuffle().median(Cost.TASK_CPU))
                        / sum(comparisons, each -> each.stock().median(Cost.TASK_CPU)),
                spark.size() == comparisons.size()
                        ? OptionalDouble.of(
                                wall / sum(spark, each -> each.stock().median(Cost.WALL)))
                        : OptionalDouble.empty(),
                worst.title(),
                worst.wallRatio());
    }

    private static Map<Contender, Double> besideRatios(double wall, List<Comparison> comparisons) {
        Map<Contender, Double> ratios = new LinkedHashMap<>();
        for (Contender contender : comparisons.get(0).beside().keySet()) {
            List<SampleSet<Measured>> figures = comparisons.stream()
                    .flatMap(each -> Optional.ofNullable(each.beside().get(contender)).stream())
                    .toList();
            if (figures.size() == comparisons.size()) {
                double seconds = figures.stream()
                        .mapToDouble(each -> each.median(Cost.WALL))
                        .sum();
                ratios.put(contender, wall / seconds);
            }
        }
        return ratios;
    }

    private static double sum(List<Comparison> comparisons, ToDoubleFunction<Comparison> quantity) {
        return comparisons.stream().mapToDouble(quantity).sum();
    }

    String toText() {
        return String.format(
                Locale.ROOT,
                "total: %.2f of %s's %.1f s%s%s; CPU %.2f of %s's, of the tasks alone %.2f; the highest ratio of "
                        + "one piece is %.2f (%s)",
                wallRatio,
                without,
                stockSeconds,
                sparkRatio.isPresent()
                        ? String.format(Locale.ROOT, ", %.2f of stock Spark's", sparkRatio.getAsDouble())
                        : "",
                besideRatios.entrySet().stream()
                        .map(ratio -> String.format(
                                Locale.ROOT,
                                ", %.2f of %s",
                                ratio.getValue(),
                                ratio.getKey().title()))
                        .collect(Collectors.joining()),
                cpuRatio,
                without,
                taskCpuRatio,
                worstRatio,
                worst);
    }

    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("stockSeconds", stockSeconds);
        json.put("wallRatio", wallRatio);
        besideRatios.forEach((contender, ratio) -> json.put(contender.label() + "WallRatio", ratio));
        sparkRatio.ifPresent(ratio -> json.put("sparkWallRatio", ratio));
        json.put("cpuRatio", cpuRatio);
        json.put("taskCpuRatio", taskCpuRatio);
        json.put("worst", worst);
        json.put("worstRatio", worstRatio);
        return json;
    }
}
