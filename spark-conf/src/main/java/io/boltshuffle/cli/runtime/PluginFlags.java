package io.boltshuffle.cli.runtime;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * Adds to a {@code spark-submit} command line the settings that make Spark use the plugin, merged with those of the
 * command line or the defaults file. It appends to plugins, jars and class paths, and keeps a shuffle manager that the
 * user names, whose shuffles the plugin then carries.
 */
public final class PluginFlags {
    /** The setting by which the plugin's writer takes part, too. */
    public static final String SHUFFLE_MANAGER = "spark.shuffle.manager";

    public static final String MANAGER_CLASS = "io.boltshuffle.spark.BoltShuffleManager";

    /** The setting that turns the plugin on; a list. */
    public static final String PLUGINS = "spark.plugins";

    public static final String PLUGIN_CLASS = "io.boltshuffle.spark.BoltShufflePlugin";

    private static final String MASTER = "spark.master";

    private final SparkLine line;
    private final Path pluginJar;

    public PluginFlags(SparkLine line, Path pluginJar) {
        this.line = line;
        this.pluginJar = pluginJar;
    }

    /** Returns the settings of a job that does not set these keys itself. */
    public Map<String, String> settings() {
        Map<String, String> settings = new HashMap<>(Map.of(SHUFFLE_MANAGER, MANAGER_CLASS, PLUGINS, PLUGIN_CLASS));
        if (line.loadsPluginFromUserJars()) {
            settings.put("spark.jars", pluginJar.toString());
        } else {
            settings.put("spark.driver.extraClassPath", pluginJar.toString());
            settings.put("spark.executor.extraClassPath", pluginJar.toString());
        }
        return settings;
    }

    /**
     * @param defaults what Spark would read from its properties file. A setting on the command line replaces the one of
     * the file, so values of the file that must stay are merged here.
     */
    public List<String> addTo(List<String> arguments, Properties defaults) {
        SubmitArguments given = SubmitArguments.parse(arguments);
        if (chosenManager(given, defaults).isEmpty()) {
            given = given.with(SHUFFLE_MANAGER, MANAGER_CLASS, "");
        }
        given = append(given, defaults, PLUGINS, "", ",", PLUGIN_CLASS);
        String jar = pluginJar.toString();
        if (line.loadsPluginFromUserJars()) {
            given = append(given, defaults, "spark.jars", "--jars", ",", jar);
        } else {
            given = append(given, defaults, "spark.driver.extraClassPath", "--driver-class-path", ":", jar);
            given = append(given, defaults, "spark.executor.extraClassPath", "", ":", jar);
        }
        return given.words();
    }

    /** Returns the shuffle manager that the user asked for, if it is not the plugin's. */
    public static Optional<String> foreignManager(List<String> arguments, Properties defaults) {
        return chosenManager(SubmitArguments.parse(arguments), defaults).filter(name -> !name.equals(MANAGER_CLASS));
    }

    private static Optional<String> chosenManager(SubmitArguments given, Properties defaults) {
        return Optional.ofNullable(given.settings().get(SHUFFLE_MANAGER))
                .or(() -> Optional.ofNullable(defaults.getProperty(SHUFFLE_MANAGER)));
    }

    private static SubmitArguments append(
            SubmitArguments given, Properties defaults, String key, String synonym, String separator, String ours) {
        String merged = given.option(synonym)
                .or(() -> Optional.ofNullable(given.settings().get(key)))
                .or(() -> Optional.ofNullable(defaults.getProperty(key)))
                .filter(value -> !value.isBlank())
                .map(value -> List.of(value.split(separator, -1)).contains(ours) ? value : value + separator + ours)
                .orElse(ours);
        return given.with(key, merged, synonym);
    }

    /** Returns the master that the command line or the defaults name. */
    public static Optional<String> master(List<String> arguments, Properties defaults) {
        SubmitArguments given = SubmitArguments.parse(arguments);
        return given.option("--master")
                .or(() -> Optional.ofNullable(given.settings().get(MASTER)))
                .or(() -> Optional.ofNullable(defaults.getProperty(MASTER)));
    }

    /** Makes Spark read a file of settings in place of the one that it would read. */
    static List<String> readingFrom(Path file, List<String> arguments) {
        SubmitArguments given = SubmitArguments.parse(arguments).without("--properties-file");
        List<String> words = new ArrayList<>(List.of("--properties-file", file.toString()));
        words.addAll(given.words());
        return words;
    }

    /** Adds those settings that neither the command line nor the defaults have. */
    public static List<String> addMissing(List<String> arguments, Properties defaults, Map<String, String> settings) {
        SubmitArguments given = SubmitArguments.parse(arguments);
        for (Map.Entry<String, String> setting : settings.entrySet()) {
            String key = setting.getKey();
            if (!given.settings().containsKey(key) && defaults.getProperty(key) == null) {
                given = given.with(key, setting.getValue(), "");
            }
        }
        return given.words();
    }
}
