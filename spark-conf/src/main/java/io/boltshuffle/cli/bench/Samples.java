package io.boltshuffle.cli.bench;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Measured values of one quantity, at least one; sorted. */
record Samples(List<Double> sorted) {

    static Samples of(List<Double> values) {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("nothing was measured");
        }
        double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.sort(sorted);
        return new Samples(Arrays.stream(sorted).boxed().toList());
    }

    double median() {
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    double least() {
        return sorted.get(0);
    }

    double most() {
        return sorted.get(sorted.size() - 1);
    }

    Map<String, Object> toJson() {
        return Map.of("median", median(), "least", least(), "most", most(), "samples", sorted);
    }
}
