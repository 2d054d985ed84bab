package io.boltshuffle.proof.conformance;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.FileTrees;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;

/** The directory to which one run of a suite writes: ScalaTest's reports, what each JVM counted, and the log. */
record SuiteDirectory(Path root) {
    private static final String END = "end.properties";

    /**
     * The end of a run.
     *
     * @param partial whether only some tests were requested
     * @param late whether it was ended at its deadline: that made its last tests fail, and its reports may be
     *     incomplete
     */
    record End(boolean partial, boolean late, int exitCode, long seconds) {}

    /** Creates the directory, with the settings for the suite's Spark. */
    static SuiteDirectory create(Path root, Map<String, String> sparkSettings) {
        SuiteDirectory directory = new SuiteDirectory(root);
        try {
            Files.createDirectories(directory.reports());
            Files.createDirectories(directory.tallies());
            Files.createDirectories(directory.temporary());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        store(sparkSettings, directory.settings());
        return directory;
    }

    /** Says how the run ended, and removes what is not for those who read the results. */
    void end(End end) {
        FileTrees.delete(temporary());
        store(
                Map.of(
                        "partial", Boolean.toString(end.partial()),
                        "late", Boolean.toString(end.late()),
                        "exitCode", Integer.toString(end.exitCode()),
                        "seconds", Long.toString(end.seconds())),
                root.resolve(END));
    }

    /** Returns whether the run came to an end of any kind. One that did not was ended together with its command. */
    boolean hasEnded() {
        return Files.exists(root.resolve(END));
    }

    End end() {
        Properties end = new Properties();
        try (Reader file = Files.newBufferedReader(root.resolve(END))) {
            end.load(file);
            return new End(
                    Boolean.parseBoolean(end.getProperty("partial")),
                    Boolean.parseBoolean(end.getProperty("late")),
                    Integer.parseInt(end.getProperty("exitCode")),
                    Long.parseLong(end.getProperty("seconds")));
        } catch (IOException | IllegalArgumentException e) {
            throw BoltException.usage(root + " is not what --results wrote: " + e.getMessage()
                    + "; leave it out, or run its suite again");
        }
    }

    private static void store(Map<String, String> values, Path file) {
        Properties properties = new Properties();
        properties.putAll(values);
        try (Writer writer = Files.newBufferedWriter(file)) {
            properties.store(writer, null);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
