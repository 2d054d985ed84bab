package io.boltshuffle.cli.cluster;

import io.boltshuffle.cli.runtime.PluginFlags;
import io.boltshuffle.cli.runtime.SparkLine;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The two ways a job is run, for comparison. */
public enum ShuffleVariant {
    /** Spark as it comes. */
    STOCK,
    /** With the plugin. */
    BOLTSHUFFLE;

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Both, for a round of a measurement: who goes first changes, so that a machine that slows down or speeds up
     * favours nobody.
     */
    public static List<ShuffleVariant> inRound(int round) {
        return round % 2 == 0 ? List.of(STOCK, BOLTSHUFFLE) : List.of(BOLTSHUFFLE, STOCK);
    }

    /** An agent that an executor started would outlive the run: who wants agents starts them and owns them. */
    public Map<String, String> settings(SparkLine line, Path pluginJar) {
        if (this == STOCK) {
            return Map.of();
        }
        Map<String, String> settings = new HashMap<>(new PluginFlags(line, pluginJar).settings());
        settings.put("spark.boltshuffle.agent.autoStart", "false");
        return settings;
    }
}
