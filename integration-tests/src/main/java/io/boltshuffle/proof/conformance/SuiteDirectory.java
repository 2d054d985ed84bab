package io.boltshuffle.proof.conformance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;

/** The directory to which one run of a suite writes. */
record SuiteDirectory(Path root) {

    /** Creates the directory, with the settings for the suite's Spark. */
    static SuiteDirectory create(Path root, Map<String, String> sparkSettings) {
        SuiteDirectory directory = new SuiteDirectory(root);
        Properties settings = new Properties();
        settings.putAll(sparkSettings);
        try {
            Files.createDirectories(directory.reports());
            Files.createDirectories(directory.tallies());
            Files.createDirectories(directory.temporary());
            try (Writer file = Files.newBufferedWriter(directory.settings())) {
                settings.store(file, null);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return directory;
    }

    Path reports() {
        return root.resolve("reports");
    }

    Path tallies() {
        return root.resolve("tallies");
    }

    Path temporary() {
        return root.resolve("tmp");
    }

    Path settings() {
        return root.resolve("settings.properties");
    }

    Path log() {
        return root.resolve("log");
    }
}
