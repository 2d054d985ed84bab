package io.boltshuffle.proof.bench.compare;

import io.boltshuffle.bench.PieceSample;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * A piece of an application, measured once.
 *
 * @param title what it is compared under
 * @param rdmaShare of the whole application's bytes from other hosts; empty for stock Spark
 */
public record Measured(String title, Contender contender, PieceSample sample, OptionalDouble rdmaShare) {

    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("title", title);
        json.put("contender", contender.label());
        json.putAll(new VariantFigures(List.of(this)).toJson());
        return json;
    }

    /** Returns one line for a person who waits for all of them. */
    String summary() {
        VariantFigures figures = new VariantFigures(List.of(this));
        return String.format(
                Locale.ROOT,
                "%s, %s: %.2f s, CPU %.2f s, of it tasks %.2f s, waiting for blocks %.1f %%, %.1f MB from other hosts",
                title,
                contender.title(),
                figures.wallSeconds().median(),
                figures.cpuSeconds().median(),
                figures.taskCpuSeconds().median(),
                figures.fetchWaitShare().median() * 100,
                figures.remoteMegabytes().median());
    }
}
