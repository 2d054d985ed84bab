package io.boltshuffle.spark.differential;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Counts how often each value of each dimension was drawn. */
final class Coverage {
    private final Map<String, Map<String, Integer>> counts = new LinkedHashMap<>();

    void drawn(String dimension, List<?> possible, Object chosen) {
        Map<String, Integer> ofValues = counts.computeIfAbsent(dimension, name -> new LinkedHashMap<>());
        possible.forEach(value -> ofValues.putIfAbsent(value.toString(), 0));
        ofValues.merge(chosen.toString(), 1, Integer::sum);
    }

    /** Returns the values that were never drawn though they could have been. */
    List<String> missing() {
        List<String> missing = new ArrayList<>();
        counts.forEach((dimension, values) -> values.forEach((value, count) -> {
            if (count == 0) {
                missing.add(dimension + "=" + value);
            }
        }));
        return missing;
    }

    @Override
    public String toString() {
        return counts.toString();
    }
}
