package io.boltshuffle.cli.runtime;

import io.boltshuffle.cli.base.BoltException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A directory with Spark's jars in {@code jars/}, which is all that running Spark needs.
 *
 * @param release the version in the name of its spark-core jar
 * @param line the line of the release, or the newest known one for a release of a newer line
 */
public record SparkRuntime(Path home, String release, SparkLine line) {
    private static final Pattern CORE_JAR = Pattern.compile("spark-core_(2\\.\\d+)-(.+)(?<!-tests)\\.jar");
    static final String SCALA = "2.13";

    /**
     * Reads the Spark at {@code home}, and refuses one on which the plugin cannot run. A newer line than the known ones
     * is not refused: the plugin leaves its shuffles to Spark there, and says so.
     */
    public static SparkRuntime at(Path home) {
        Matcher core = coreJar(home);
        String scala = core.group(1);
        String release = core.group(2);
        SparkLine line = SparkLine.startingLike(release)
                .orElseThrow(() -> BoltException.environment(
                        "Spark at " + home + " is " + release,
                        "boltshuffle runs on " + SparkLine.supported() + "; point SPARK_HOME at one, or unset it"));
        if (!scala.equals(SCALA)) {
            throw BoltException.environment(
                    "Spark at " + home + " is built for Scala " + scala,
                    "boltshuffle needs a build for Scala " + SCALA + "; point SPARK_HOME at one, or unset it");
        }
        return new SparkRuntime(home, release, line);
    }

    /**
     * Returns the variables that Spark's launcher and its daemons read. Without the Scala version every executor looks
     * for a build directory.
     */
    public Map<String, String> environment() {
        return Map.of(
                "SPARK_HOME",
                home.toString(),
                "SPARK_SCALA_VERSION",
                SCALA,
                "JAVA_HOME",
                javaHome().toString());
    }

    /** Configures logging of a Spark that has no settings for it: warnings, and the plugin's messages at start-up. */
    public void writeQuietLogging(Path configuration) {
        try (InputStream quiet = Objects.requireNonNull(SparkRuntime.class.getResourceAsStream("log4j2.properties"))) {
            Files.copy(quiet, configuration.resolve("log4j2.properties"), StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public Path jars() {
        return home.resolve("jars");
    }

    /** Returns the Java that runs this process; it runs Spark, too. */
    static Path javaHome() {
        return Path.of(System.getProperty("java.home"));
    }

    /** Returns the program. */
    public static Path java() {
        return javaHome().resolve("bin/java");
    }

    private static Matcher coreJar(Path home) {
        Path jars = home.resolve("jars");
        if (Files.isDirectory(jars)) {
            try (Stream<Path> files = Files.list(jars)) {
                return files.map(file -> CORE_JAR.matcher(file.getFileName().toString()))
                        .filter(Matcher::matches)
                        .findFirst()
                        .orElseThrow(() -> notASpark(home));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        throw notASpark(home);
    }

    private static BoltException notASpark(Path home) {
        return BoltException.environment(
                "there is no Spark at " + home + " (no jars/spark-core_" + SCALA + "-*.jar)",
                "point SPARK_HOME at a Spark distribution, or unset it");
    }
}
