package io.boltshuffle.cli.runtime;

import static java.util.Objects.requireNonNull;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Console;
import io.boltshuffle.cli.base.Teardown;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes a directory of jars, such as those of a Spark, out of what is on Maven Central. It uses Maven itself, so that
 * mirrors, proxies and credentials of the user's settings apply.
 */
final class MavenGatherer {
    private static final String COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy-dependencies";

    private final RuntimeStaging staging;
    private final Console console;

    MavenGatherer(Path cache, Console console) {
        this.staging = new RuntimeStaging(cache, console);
        this.console = console;
    }

    /** @param home where they go, in the cache */
    void gather(GatheredJars wanted, String release, Path home) {
        console.line("gathering " + wanted.title(release) + " from Maven Central into " + home + " (once, about "
                + wanted.megabytes() + " MB)");
        staging.fill(home, wanted.megabytes() * 5L / 2, (scratch, jars, teardown) -> {
            Path pom = scratch.resolve("pom.xml");
            try (InputStream template = requireNonNull(MavenGatherer.class.getResourceAsStream(wanted.pom()))) {
                Files.copy(template, pom);
            }
            copyJars(wanted, release, pom, jars, teardown);
        });
    }

    private void copyJars(GatheredJars wanted, String release, Path pom, Path jars, Teardown teardown)
            throws IOException {
        ProcessBuilder maven = new ProcessBuilder(
                        System.getProperty("bolt.maven", "mvn"),
                        "-B",
                        "-f",
                        pom.toString(),
                        "-Dspark.version=" + release,
                        "-DincludeScope=runtime",
                        "-DoutputDirectory=" + jars,
                        COPY)
                .redirectErrorStream(true);
        maven.environment().put("JAVA_HOME", SparkRuntime.javaHome().toString());
        Process process = start(maven, teardown);
        process.getOutputStream().close();
        List<String> errors = follow(process);
        try {
            if (process.waitFor() != 0) {
                throw MavenFailure.explain(wanted, release, errors);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw BoltException.failed("interrupted while gathering " + wanted.title(release));
        }
    }

    private static Process start(ProcessBuilder maven, Teardown teardown) {
        try {
            return teardown.start(maven);
        } catch (IOException e) {
            throw BoltException.environment(
                    "Maven (mvn) is needed to gather Spark and is not on the PATH",
                    "install Maven 3.8 or newer, or set SPARK_HOME to a Spark distribution");
        }
    }

    /** Shows each jar as it arrives and keeps the lines that Maven marks as errors. */
    private List<String> follow(Process process) throws IOException {
        List<String> errors = new ArrayList<>();
        int arrived = 0;
        try (BufferedReader lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String text = MavenFailure.plain(line);
                if (text.contains("Downloaded from") && text.contains(".jar ")) {
                    arrived++;
                    console.status("  " + arrived + " jars downloaded");
                } else if (text.startsWith("[ERROR]")) {
                    errors.add(text);
                }
            }
        }
        return errors;
    }
}
