package io.boltshuffle.proof.bench.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All samples that were measured under the same circumstances, at least one. */
public record SampleSet<S>(List<S> samples) {

    public Samples of(Quantity<S> quantity) {
        return Samples.of(samples.stream()
                .map(sample -> quantity.value().applyAsDouble(sample))
                .toList());
    }

    public double median(Quantity<S> quantity) {
        return of(quantity).median();
    }

    /** Returns the median for people. */
    public String text(Quantity<S> quantity) {
        return quantity.text(median(quantity));
    }

    /** Returns the median with the least and the most, for people. */
    public String spread(Quantity<S> quantity) {
        Samples all = of(quantity);
        return quantity.text(all.median()) + " (" + quantity.text(all.least()) + " .. " + quantity.text(all.most())
                + ")";
    }

    /** Returns the samples of each quantity by its name. */
    public Map<String, Object> toJson(List<Quantity<S>> quantities) {
        Map<String, Object> json = new LinkedHashMap<>();
        quantities.forEach(quantity -> json.put(quantity.name(), of(quantity).toJson()));
        return json;
    }
}
