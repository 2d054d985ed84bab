package io.boltshuffle.cli.runtime;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Console;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the Spark to run with: that at {@code SPARK_HOME} if it is set, or else the cache, which is filled if it lacks
 * the line.
 */
public final class SparkRuntimes {
    private final Map<String, String> environment;
    private final UserCache cache;
    private final Console console;

    public SparkRuntimes(Map<String, String> environment, UserCache cache, Console console) {
        this.environment = environment;
        this.cache = cache;
        this.console = console;
    }

    /**
     * Returns a runtime.
     *
     * @param wanted the requested line, or null for the Spark at SPARK_HOME, or else the newest
     */
    public SparkRuntime find(@Nullable SparkLine wanted) {
        String sparkHome = environment.getOrDefault("SPARK_HOME", "");
        SparkRuntime runtime = sparkHome.isEmpty()
                ? gathered(GatheredJars.RUNTIME, wanted == null ? SparkLine.NEWEST : wanted)
                : installed(Path.of(sparkHome).toAbsolutePath(), wanted);
        runtime.line().requireJava(Runtime.version().feature());
        return runtime;
    }

    /**
     * Returns the line with Spark's own test suites among its jars. It is always fetched, because no distribution has
     * them.
     */
    public SparkRuntime findWithSuites(SparkLine line) {
        line.requireJava(Runtime.version().feature());
        return gathered(GatheredJars.SUITES, line);
    }

    private static SparkRuntime installed(Path home, @Nullable SparkLine wanted) {
        SparkRuntime runtime = SparkRuntime.at(home);
        if (wanted != null && wanted != runtime.line()) {
            throw BoltException.environment(
                    "SPARK_HOME=" + home + " is Spark " + runtime.release() + ", and Spark " + wanted.label()
                            + " was asked for",
                    "unset SPARK_HOME to have it gathered, or leave --spark away");
        }
        return runtime;
    }

    private SparkRuntime gathered(GatheredJars jars, SparkLine line) {
        Path home = cache.gathered(jars, line);
        if (!Files.isDirectory(home)) {
            new MavenGatherer(cache.root(), console).gather(jars, line, home);
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
