package io.boltshuffle.proof.conformance.inspark;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;

/**
 * The settings of the run, which say how to reach the agents. A suite's own settings, and those of a driver, stay as
 * they are.
 */
public final class SuiteSettings {

    private static final Properties SETTINGS = read();

    private SuiteSettings() {}

    /** The patched {@code PluginContainer} calls this. */
    public static void addTo(SparkContext context) {
        addTo(context.conf());
    }

    static SparkConf addTo(SparkConf conf) {
        SETTINGS.stringPropertyNames().forEach(key -> conf.setIfMissing(key, SETTINGS.getProperty(key)));
        return conf;
    }

    private static Properties read() {
        Properties settings = new Properties();
        try (Reader file = Files.newBufferedReader(Path.of(System.getProperty(SuiteFiles.SETTINGS)))) {
            settings.load(file);
            return settings;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
