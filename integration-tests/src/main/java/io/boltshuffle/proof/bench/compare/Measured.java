package io.boltshuffle.proof.bench.compare;

import io.boltshuffle.proof.bench.inspark.PieceSample;
import io.boltshuffle.proof.bench.report.SampleSet;
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
        json.putAll(Cost.toJson(new SampleSet<>(List.of(this))));
        return json;
    }

    /** Returns one line for a person who waits for all of them. */
    String summary() {
        SampleSet<Measured> figures = new SampleSet<>(List.of(this));
        return String.format(
                Locale.ROOT,
                "%s, %s: %s s, CPU %s s, of it tasks %s s, waiting for blocks %s, %s MB from other hosts",
                title,
                contender.title(),
                figures.text(Cost.WALL),
                figures.text(Cost.CPU),
                figures.text(Cost.TASK_CPU),
                figures.text(Cost.WAIT).replace("%", " %"),
                figures.text(Cost.REMOTE));
    }
}
