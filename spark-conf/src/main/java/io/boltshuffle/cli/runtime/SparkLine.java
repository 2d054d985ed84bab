package io.boltshuffle.cli.runtime;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.conf.SparkSupport;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** The Spark release lines that the plugin supports, each with the patch release that is fetched for it. */
public enum SparkLine {
    V3_5("3.5", "3.5.9", SparkSource.MAVEN, 23),
    V4_0("4.0", "4.0.4", SparkSource.MAVEN, 23),
    V4_1("4.1", "4.1.3", SparkSource.MAVEN, 23),
    V4_2("4.2", "4.2.0", SparkSource.MAVEN, Integer.MAX_VALUE),
    /** Maven Central had no release of this line in November 2026. */
    V4_3("4.3", "4.3.0", SparkSource.PIP, Integer.MAX_VALUE);

    /** The line that runs by default, where it can be had. */
    public static final SparkLine NEWEST = V4_3;

    /** The newest line that needs no Python to be fetched. */
    static final SparkLine NEWEST_ON_MAVEN = V4_2;

    private final String label;
    private final String release;
    private final SparkSource source;
    private final int newestJava;

    /**
     * @param source where {@code release} comes from
     * @param newestJava the newest Java it runs on: the Hadoop client of the older lines calls
     * {@code Subject.getSubject}, which Java 24 refuses
     */
    SparkLine(String label, String release, SparkSource source, int newestJava) {
        this.label = label;
        this.release = release;
        this.source = source;
        this.newestJava = newestJava;
    }

    /** Returns, for example, {@code 4.2}. */
    public String label() {
        return label;
    }

    /** Returns, for example, {@code 4.2.0}. */
    public String release() {
        return release;
    }

    SparkSource source() {
        return source;
    }

    /** Returns the line from whose test suites texts of queries are taken: this one if Maven has them. */
    public SparkLine withSuites() {
        return source == SparkSource.MAVEN ? this : NEWEST_ON_MAVEN;
    }

    /**
     * Returns whether the line loads the plugin from the user's jars. Spark 4 creates the shuffle manager after these
     * jars are known (SPARK-45762). With older lines, the plugin has to be on the class path with which the JVM starts,
     * or executors die in a loop.
     */
    public boolean loadsPluginFromUserJars() {
        return this != V3_5;
    }

    /** Refuses a Java on which the line cannot run. */
    public void requireJava(int feature) {
        if (feature > newestJava) {
            throw BoltException.environment(
                    "Spark " + label + " does not run on Java " + feature,
                    "set JAVA_HOME to a JDK 17 or 21, or use Spark " + NEWEST.label);
        }
    }

    /** Returns the line named {@code 4.2}, or the one to which a release such as {@code 4.2.0} belongs. */
    public static Optional<SparkLine> of(String labelOrRelease) {
        return Arrays.stream(values())
                .filter(line -> labelOrRelease.equals(line.label) || labelOrRelease.startsWith(line.label + "."))
                .findFirst();
    }

    /**
     * Returns the line of a release, or the newest for a release that is newer than all that are known: it is most
     * likely started in the same way, and the plugin itself decides what it does there.
     */
    static Optional<SparkLine> startingLike(String release) {
        return of(release)
                .or(() -> SparkSupport.of(release, SparkRuntime.SCALA) == SparkSupport.NEWER
                        ? Optional.of(NEWEST)
                        : Optional.empty());
    }

    /** Returns {@code 3.5, 4.0, 4.1, 4.2, 4.3}. */
    public static String supported() {
        return Arrays.stream(values()).map(SparkLine::label).collect(Collectors.joining(", "));
    }
}
