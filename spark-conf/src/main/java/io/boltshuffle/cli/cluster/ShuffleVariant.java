package io.boltshuffle.cli.cluster;

import io.boltshuffle.cli.runtime.PluginFlags;
import io.boltshuffle.cli.runtime.SparkLine;
import java.nio.file.Path;
import java.util.HashMap;
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
