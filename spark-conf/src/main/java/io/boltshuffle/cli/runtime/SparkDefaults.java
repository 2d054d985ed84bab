package io.boltshuffle.cli.runtime;

import io.boltshuffle.cli.base.BoltException;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * The properties file that Spark reads: the one that the command line names, or the one in Spark's configuration
 * directory.
 */
public final class SparkDefaults {
    private SparkDefaults() {}

    public static Properties read(List<String> arguments, Map<String, String> environment, SparkRuntime runtime) {
        Optional<String> named = SubmitArguments.parse(arguments).option("--properties-file");
        Path file = named.map(Path::of)
                .orElseGet(() -> configurationDirectory(environment, runtime).resolve("spark-defaults.conf"));
        Properties defaults = new Properties();
        if (named.isEmpty() && !Files.exists(file)) {
            return defaults;
        }
        try (Reader reader = Files.newBufferedReader(file)) {
            defaults.load(reader);
            return defaults;
        } catch (IOException e) {
            throw BoltException.usage("cannot read the properties file " + file + " (" + e + ")");
        }
    }

    private static Path configurationDirectory(Map<String, String> environment, SparkRuntime runtime) {
        String chosen = environment.getOrDefault("SPARK_CONF_DIR", "");
        return chosen.isEmpty() ? runtime.home().resolve("conf") : Path.of(chosen);
    }
}
