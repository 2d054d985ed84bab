package io.boltshuffle.cli.runtime;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Console;
import io.boltshuffle.cli.base.Teardown;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the Spark to run with: that at {@code SPARK_HOME} if it is set, or else the PySpark of the active Python
 * environment, or else the cache, which is filled if it lacks the release.
 */
public final class SparkRuntimes {
    private final Map<String, String> environment;
    private final UserCache cache;
    private final Console console;
    private final String python;

    public SparkRuntimes(Map<String, String> environment, UserCache cache, Console console) {
        this(environment, cache, console, "python3");
    }

    /** @param python the program that fetches what Maven has not */
    SparkRuntimes(Map<String, String> environment, UserCache cache, Console console, String python) {
        this.environment = environment;
        this.cache = cache;
        this.console = console;
        this.python = python;
    }

    /**
     * @param wanted the requested Spark, or null for the one at SPARK_HOME, or else that of the active Python
     *     environment, or else the newest that can be had
     */
    public SparkRuntime find(@Nullable WantedSpark wanted) {
        String sparkHome = environment.getOrDefault("SPARK_HOME", "");
        SparkRuntime runtime;
        if (!sparkHome.isEmpty()) {
            runtime = installed(Path.of(sparkHome).toAbsolutePath(), wanted);
        } else {
            runtime = ofActiveEnvironment(wanted)
                    .orElseGet(() -> wanted == null ? newest() : gathered(GatheredJars.RUNTIME, wanted));
        }
        runtime.line().requireJava(Runtime.version().feature());
        return runtime;
    }

    /**
     * Returns the line with Spark's own test suites among its jars. It is always fetched, because no distribution has
     * them.
     */
    public SparkRuntime findWithSuites(SparkLine line) {
        line.requireJava(Runtime.version().feature());
        if (line.source() != SparkSource.MAVEN) {
            throw BoltException.environment(
                    "Spark " + line.release() + " is not on Maven Central, nor are its test suites",
                    "run those of Spark " + SparkLine.NEWEST_ON_MAVEN.label());
        }
        return gathered(GatheredJars.SUITES, WantedSpark.of(line));
    }

    /** Returns the jar of DataFusion Comet for the line, which is fetched unless the cache has it. */
    public Path findComet(SparkLine line) {
        Path home = cache.gathered(GatheredJars.COMET, line.label());
        if (!Files.isDirectory(home)) {
            new MavenGatherer(cache.root(), console).gather(GatheredJars.COMET, line.label(), home);
        }
        try (Stream<Path> jars = Files.list(home.resolve("jars"))) {
            return jars.findFirst()
                    .orElseThrow(() -> BoltException.environment("there is no jar in " + home, "remove " + home));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static SparkRuntime installed(Path home, @Nullable WantedSpark wanted) {
        SparkRuntime runtime = SparkRuntime.at(home);
        if (wanted != null && !wanted.allows(runtime.release())) {
            throw BoltException.environment(
                    "SPARK_HOME=" + home + " is Spark " + runtime.release() + ", and Spark " + wanted.named()
                            + " was asked for",
                    "unset SPARK_HOME to have it gathered, or leave --spark away");
        }
        return runtime;
    }

    /** Returns the Spark that pip installed into the environment that is active, unless another is wanted. */
    private Optional<SparkRuntime> ofActiveEnvironment(@Nullable WantedSpark wanted) {
        Optional<Path> pyspark = PythonEnvironment.pyspark(environment);
        if (pyspark.isEmpty()) {
            return Optional.empty();
        }
        try {
            SparkRuntime runtime = SparkRuntime.at(pyspark.get());
            if (wanted != null && !wanted.allows(runtime.release())) {
                return Optional.empty();
            }
            console.line("taking Spark " + runtime.release() + " from the PySpark at " + pyspark.get());
            return Optional.of(runtime);
        } catch (BoltException e) {
            console.line("bolt: not taking the PySpark of the active Python environment: " + e.getMessage());
            return Optional.empty();
        }
    }

    private SparkRuntime newest() {
        try {
            return gathered(GatheredJars.RUNTIME, WantedSpark.of(SparkLine.NEWEST));
        } catch (BoltException e) {
            if (Teardown.interrupted()) {
                throw e;
            }
            SparkLine older = SparkLine.NEWEST_ON_MAVEN;
            console.line("bolt: taking Spark " + older.label() + ", because " + SparkLine.NEWEST.label()
                    + " cannot be had: " + e.getMessage());
            return gathered(GatheredJars.RUNTIME, WantedSpark.of(older));
        }
    }

    private SparkRuntime gathered(GatheredJars jars, WantedSpark wanted) {
        String release = wanted.release();
        Path home = cache.gathered(jars, release);
        if (!Files.isDirectory(home)) {
            if (wanted.source() == SparkSource.MAVEN) {
                new MavenGatherer(cache.root(), console).gather(jars, release, home);
            } else if (wanted.line() == SparkLine.V3_5) {
                throw BoltException.usage("--spark " + release + " would come from pip, which has Spark 3.5 for Scala "
                        + "2.12 only: use --spark 3.5, which is "
                        + wanted.line().release() + " from Maven Central");
            } else {
                new PipGatherer(cache.root(), console, python).gather(release, home);
            }
        }
        SparkRuntime runtime = SparkRuntime.at(home);
        if (jars == GatheredJars.RUNTIME) {
            makeQuiet(runtime);
        }
        return runtime;
    }

    /** Configures logging once, so that changes by the user stay. It leaves a distribution of the user's alone. */
    private static void makeQuiet(SparkRuntime runtime) {
        Path configuration = runtime.home().resolve("conf");
        if (!Files.isDirectory(configuration) && Files.isWritable(runtime.home())) {
            try {
                runtime.writeQuietLogging(Files.createDirectories(configuration));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
