package io.boltshuffle.cli.runtime;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.os.SystemCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The PySpark of the Python that runs an application. The Spark around it has to be the same release, or Python workers
 * crash after minutes.
 *
 * @param python the program
 * @param home where PySpark is, which has Spark's jars if pip installed it
 */
public record PythonSpark(String python, String release, Path home) {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int WORDS = 3;
    private static final String SPARK_HOME = "SPARK_HOME";
    private static final String ASK = "import os, sys, pyspark\n"
            + "print(sys.executable, pyspark.__version__, os.path.dirname(pyspark.__file__), sep='\\n')";

    /** Returns whether the application is a Python file. */
    static boolean isNeededBy(List<String> arguments) {
        return SubmitArguments.parse(arguments).application().stream()
                .findFirst()
                .filter(application -> application.endsWith(".py"))
                .isPresent();
    }

    /**
     * Returns the installed PySpark that the application needs. Empty if it is not Python, or if the Spark that
     * {@code environment} names brings its own PySpark.
     *
     * @param wanted the requested Spark, or null
     */
    public static Optional<PythonSpark> find(
            Map<String, String> environment, List<String> arguments, @Nullable WantedSpark wanted) {
        String sparkHome = environment.getOrDefault(SPARK_HOME, "");
        boolean isDistribution = !sparkHome.isEmpty() && Files.exists(Path.of(sparkHome, "python/lib/pyspark.zip"));
        if (!isNeededBy(arguments) || isDistribution) {
            return Optional.empty();
        }
        String program = program(environment, arguments);
        PythonSpark found = ask(program, environment)
                .orElseThrow(() -> BoltException.environment(
                        "the application is a Python program, and " + program + " has no pyspark",
                        "pip install pyspark==" + (wanted == null ? SparkLine.NEWEST.release() : wanted.release())
                                + ", or point PYSPARK_PYTHON at a Python that has it"));
        if (!sparkHome.isEmpty()) {
            found.requireRelease(
                    SparkRuntime.at(Path.of(sparkHome).toAbsolutePath()).release(), "SPARK_HOME=" + sparkHome);
        } else {
            found.require(wanted);
            found.requireScala();
        }
        return Optional.of(found);
    }

    /** Returns {@code environment} with the Spark that it names, or else this one. */
    public Map<String, String> addTo(Map<String, String> environment) {
        Map<String, String> complete = new HashMap<>(environment);
        complete.merge(SPARK_HOME, home.toString(), (named, ours) -> named.isEmpty() ? ours : named);
        return complete;
    }

    private static String program(Map<String, String> environment, List<String> arguments) {
        Map<String, String> settings = SubmitArguments.parse(arguments).settings();
        return List.of(
                        settings.getOrDefault("spark.pyspark.driver.python", ""),
                        settings.getOrDefault("spark.pyspark.python", ""),
                        environment.getOrDefault("PYSPARK_DRIVER_PYTHON", ""),
                        environment.getOrDefault("PYSPARK_PYTHON", ""))
                .stream()
                .filter(named -> !named.isEmpty())
                .findFirst()
                .orElse("python3");
    }

    private static Optional<PythonSpark> ask(String program, Map<String, String> environment) {
        ProcessBuilder asking = new ProcessBuilder(program, "-c", ASK);
        asking.environment().clear();
        asking.environment().putAll(environment);
        SystemCommand.Result result = SystemCommand.run(LIMIT, asking);
        return parse(result.stdout());
    }

    /** Reads the three lines that the program says; empty if it said anything else. */
    static Optional<PythonSpark> parse(String told) {
        List<String> lines = told.lines().toList();
        return lines.size() == WORDS
                ? Optional.of(new PythonSpark(lines.get(0), lines.get(1), Path.of(lines.get(2))))
                : Optional.empty();
    }

    /** Refuses another PySpark than the one asked for, and one that the plugin does not support. */
    void require(@Nullable WantedSpark wanted) {
        if (SparkLine.startingLike(release).isEmpty()) {
            throw BoltException.environment(
                    python + " has pyspark " + release,
                    "boltshuffle runs on " + SparkLine.supported() + "; pip install pyspark=="
                            + SparkLine.NEWEST.release());
        }
        if (wanted != null && !wanted.allows(release)) {
            throw BoltException.environment(
                    python + " has pyspark " + release + ", and Spark " + wanted.named() + " was asked for",
                    "leave --spark away, or pip install pyspark==" + wanted.release());
        }
    }

    /** Refuses what pip has of Spark 3.5, which is built for another Scala. */
    private void requireScala() {
        if (Files.exists(home.resolve("jars/spark-core_2.12-" + release + ".jar"))) {
            throw BoltException.environment(
                    "pyspark " + release + " of " + python + " is built for Scala 2.12",
                    "pip install pyspark==" + SparkLine.NEWEST.release()
                            + ", or point SPARK_HOME at a distribution of Spark " + release + " for Scala 2.13");
        }
    }

    /** Refuses a Spark of another release; {@code place} says where it is. */
    void requireRelease(String spark, String place) {
        if (!spark.equals(release)) {
            throw BoltException.environment(
                    place + " is Spark " + spark + ", and " + python + " has pyspark " + release,
                    "pip install pyspark==" + spark + ", or unset SPARK_HOME to run with Spark " + release);
        }
    }
}
