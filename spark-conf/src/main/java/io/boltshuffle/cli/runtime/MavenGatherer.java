package io.boltshuffle.cli.runtime;

import static java.util.Objects.requireNonNull;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Console;
import io.boltshuffle.cli.base.FileTrees;
import io.boltshuffle.cli.base.Teardown;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes a Spark runtime out of the jars on Maven Central. It uses Maven itself, so that mirrors, proxies and
 * credentials of the user's settings apply.
 *
 * <p><b>Invariant:</b> a runtime directory is complete or absent: it is filled beside its place and then renamed.
 */
final class MavenGatherer {
    private static final String COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy-dependencies";

    private final Path cache;
    private final Console console;

    MavenGatherer(Path cache, Console console) {
        this.cache = cache;
        this.console = console;
    }

    /**
     * Fetches a runtime.
     *
     * @param home where the runtime goes, in the cache
     */
    void gather(GatheredJars wanted, SparkLine line, Path home) {
        console.line("gathering " + wanted.title(line) + " from Maven Central into " + home + " (once, about "
                + wanted.megabytes() + " MB)");
        try (Teardown teardown = Teardown.hooked()) {
            Files.createDirectories(cache);
            requireSpace(cache, wanted);
            Path staging = teardown.open(() -> Files.createTempDirectory(cache, ".gathering-"), FileTrees::delete);
            Path pom = staging.resolve("pom.xml");
            try (InputStream template = requireNonNull(MavenGatherer.class.getResourceAsStream(wanted.pom()))) {
                Files.copy(template, pom);
            }
            copyJars(line, pom, staging.resolve("spark/jars"), teardown);
            publish(staging.resolve("spark"), home);
        } catch (FileSystemException e) {
            throw BoltException.environment(
                    "cannot write to " + cache + " (" + e.getMessage() + ")",
                    "set BOLT_CACHE to a directory you may write to");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            console.clearStatus();
        }
    }

    private static void requireSpace(Path directory, GatheredJars wanted) {
        long neededBytes = (wanted.megabytes() * 5L / 2) << 20;
        // FileStore does not help: in a plain chroot, which has no mount table, it cannot be obtained.
        long free = directory.toFile().getUsableSpace();
        if (free < neededBytes) {
            throw BoltException.environment(
                    "only " + (free >> 20) + " MB are free at " + directory + ", and " + (neededBytes >> 20)
                            + " MB are needed",
                    "free some space, or set BOLT_CACHE to a directory on a roomier disk");
        }
    }

    private void copyJars(SparkLine line, Path pom, Path jars, Teardown teardown) throws IOException {
        ProcessBuilder maven = new ProcessBuilder(
                        System.getProperty("bolt.maven", "mvn"),
                        "-B",
                        "-f",
                        pom.toString(),
                        "-Dspark.version=" + line.release(),
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
                throw MavenFailure.explain(line, errors);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw BoltException.failed("interrupted while gathering Spark " + line.release());
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
            for (String text = lines.readLine(); text != null; text = lines.readLine()) {
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

    /** Moves the runtime to its place. If another bolt has made the same runtime meanwhile, that one stays. */
    private static void publish(Path complete, Path home) throws IOException {
        try {
            Files.move(complete, home, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileSystemException e) {
            if (!Files.isDirectory(home)) {
                throw e;
            }
        }
    }
}
