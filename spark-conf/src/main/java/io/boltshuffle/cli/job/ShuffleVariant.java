package io.boltshuffle.cli.job;

import io.boltshuffle.cli.runtime.PluginFlags;
import io.boltshuffle.cli.runtime.SparkLine;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The two ways to run a job, for comparison. */
public enum ShuffleVariant {
    /** Spark without the plugin. */
    STOCK,
    /** Spark with the plugin. */
    BOLTSHUFFLE;

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Returns both, for a round of a measurement. The first one alternates, so that a machine that slows down or speeds
     * up favours neither.
     */
    public static List<ShuffleVariant> inRound(int round) {
        return round % 2 == 0 ? List.of(STOCK, BOLTSHUFFLE) : List.of(BOLTSHUFFLE, STOCK);
    }

    /**
     * Returns the settings. Executors must not start agents, which would outlive the run: a run that needs agents
     * starts and owns them.
     */
    public Map<String, String> settings(SparkLine line, Path pluginJar) {
        if (this == STOCK) {
            return Map.of();
        }
        Map<String, String> settings = new HashMap<>(new PluginFlags(line, pluginJar).settings());
        settings.put("spark.boltshuffle.agent.autoStart", "false");
        return settings;
    }
}
