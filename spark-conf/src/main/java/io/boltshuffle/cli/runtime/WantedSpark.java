package io.boltshuffle.cli.runtime;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The Spark that a user asks for by {@code --spark}.
 *
 * @param named what the user wrote: a line, of which every patch release will do, or one release
 */
public record WantedSpark(SparkLine line, String named) {
    private static final Pattern RELEASE = Pattern.compile("\\d+\\.\\d+\\.\\d+");

    /** Returns the Spark named {@code 4.2} or {@code 4.2.1}; empty if the plugin does not support its line. */
    public static Optional<WantedSpark> of(String lineOrRelease) {
        return SparkLine.of(lineOrRelease)
                .filter(line -> lineOrRelease.equals(line.label())
                        || RELEASE.matcher(lineOrRelease).matches())
                .map(line -> new WantedSpark(line, lineOrRelease));
    }

    /** Returns the line as a user would ask for it. */
    public static WantedSpark of(SparkLine line) {
        return new WantedSpark(line, line.label());
    }

    /** Returns the release to fetch if there is none yet. */
    public String release() {
        return named.equals(line.label()) ? line.release() : named;
    }

    /** Returns whether a Spark that is there already will do. */
    boolean allows(String release) {
        return named.equals(line.label())
                ? SparkLine.of(release).filter(line::equals).isPresent()
                : named.equals(release);
    }

    /** Returns Maven for the releases that are known to be there; PySpark has every release. */
    SparkSource source() {
        return release().equals(line.release()) ? line.source() : SparkSource.PIP;
    }
}
