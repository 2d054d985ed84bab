package io.boltshuffle.cli.cluster;

import io.boltshuffle.cli.runtime.PluginFlags;
import io.boltshuffle.cli.runtime.SparkLine;
import java.nio.file.Path;
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

    public Map<String, String> settings(SparkLine line, Path pluginJar) {
        return this == STOCK ? Map.of() : new PluginFlags(line, pluginJar).settings();
    }
}
