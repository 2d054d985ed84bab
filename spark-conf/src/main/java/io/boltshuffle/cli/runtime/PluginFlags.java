package io.boltshuffle.cli.runtime;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * Adds to a {@code spark-submit} command line what makes Spark use the plugin, merged with what the user gave on the command
 * line or in the defaults file: jars and class paths are appended to, and a shuffle manager the user names stays.
 */
public final class PluginFlags {
    /** The one setting that turns the plugin on. */
    public static final String SHUFFLE_MANAGER = "spark.shuffle.manager";

    private static final String MANAGER_CLASS = "io.boltshuffle.spark.BoltShuffleManager";

    private final SparkLine line;
    private final Path pluginJar;

    public PluginFlags(SparkLine line, Path pluginJar) {
        this.line = line;
        this.pluginJar = pluginJar;
    }

    /** The settings of a job that has no others in these keys. */
    public Map<String, String> settings() {
        return line.loadsPluginFromUserJars()
                ? Map.of(SHUFFLE_MANAGER, MANAGER_CLASS, "spark.jars", pluginJar.toString())
                : Map.of(
                        SHUFFLE_MANAGER,
                        MANAGER_CLASS,
                        "spark.driver.extraClassPath",
                        pluginJar.toString(),
                        "spark.executor.extraClassPath",
                        pluginJar.toString());
    }

    /**
     * @param defaults what Spark would read from its properties file; a setting on the command line replaces it there, so what is
     *     to be kept of it has to be merged here
     */
    public List<String> addTo(List<String> arguments, Properties defaults) {
        SubmitArguments given = SubmitArguments.parse(arguments);
        if (chosenManager(given, defaults).isEmpty()) {
            given = given.with(SHUFFLE_MANAGER, MANAGER_CLASS, "");
        }
        if (line.loadsPluginFromUserJars()) {
            given = append(given, defaults, "spark.jars", "--jars", ",");
        } else {
            given = append(given, defaults, "spark.driver.extraClassPath", "--driver-class-path", ":");
            given = append(given, defaults, "spark.executor.extraClassPath", "", ":");
        }
        return given.words();
    }

    /** The shuffle manager the user asked for, when it is not ours. */
    public static Optional<String> foreignManager(List<String> arguments, Properties defaults) {
        return chosenManager(SubmitArguments.parse(arguments), defaults).filter(name -> !name.equals(MANAGER_CLASS));
    }

    private static Optional<String> chosenManager(SubmitArguments given, Properties defaults) {
        return Optional.ofNullable(given.settings().get(SHUFFLE_MANAGER))
                .or(() -> Optional.ofNullable(defaults.getProperty(SHUFFLE_MANAGER)));
    }

    private SubmitArguments append(
            SubmitArguments given, Properties defaults, String key, String synonym, String separator) {
        String merged = given.option(synonym)
                .or(() -> Optional.ofNullable(given.settings().get(key)))
                .or(() -> Optional.ofNullable(defaults.getProperty(key)))
                .filter(value -> !value.isBlank())
                .map(value -> value + separator + pluginJar)
                .orElse(pluginJar.toString());
        return given.with(key, merged, synonym);
    }
}
