package io.boltshuffle.proof.bench.report;

import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * Measured values of one quantity, at least one.
 *
 * @param values in the order in which they were measured, so that quantities of one run can be laid side by side
 */
public record Samples(List<Double> values) {

    public static Samples of(List<Double> values) {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("nothing was measured");
        }
        return new Samples(List.copyOf(values));
    }

    public double median() {
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    public double least() {
        return Collections.min(values);
    }

    public double most() {
        return Collections.max(values);
    }

    public Map<String, Object> toJson() {
        return Map.of("median", median(), "least", least(), "most", most(), "samples", values);
    }
}
