package io.boltshuffle.cli.bench.report;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Measured values of one quantity, at least one; sorted. */
public record Samples(List<Double> sorted) {

    public static Samples of(List<Double> values) {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("nothing was measured");
        }
        double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.sort(sorted);
        return new Samples(Arrays.stream(sorted).boxed().toList());
    }

    public double median() {
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    public double least() {
        return sorted.get(0);
    }

    public double most() {
        return sorted.get(sorted.size() - 1);
    }

    public Map<String, Object> toJson() {
        return Map.of("median", median(), "least", least(), "most", most(), "samples", sorted);
    }
}
