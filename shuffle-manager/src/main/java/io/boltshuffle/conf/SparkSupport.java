package io.boltshuffle.conf;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Relates a Spark to those that this release of the plugin was made for. */
public enum SparkSupport {
    /** A release of a line that the plugin is tested with, however new its patch release is. */
    KNOWN,
    /** A release of a line that did not exist when the plugin was made, or a version that names no line. */
    NEWER,
    /** A release of a line before the first of those. */
    OLDER,
    /** A build for another Scala. */
    OTHER_SCALA;

    /** The lines that the plugin is tested with, oldest first. */
    public static final List<String> LINES = List.of("3.5", "4.0", "4.1", "4.2", "4.3");

    private static final String SCALA = "2.13";
    private static final Pattern LINE = Pattern.compile("((\\d{1,4})\\.(\\d{1,4}))(?:\\D.*)?");

    /**
     * Relates a Spark.
     *
     * @param sparkVersion such as {@code 4.2.0} or {@code 3.5.3-amzn-0}
     * @param scalaVersion such as {@code 2.13} or {@code 2.13.18}
     */
    public static SparkSupport of(String sparkVersion, String scalaVersion) {
        if (!(scalaVersion + ".").startsWith(SCALA + ".")) {
            return OTHER_SCALA;
        }
        Matcher version = LINE.matcher(sparkVersion);
        if (!version.matches()) {
            return NEWER;
        }
        if (LINES.contains(version.group(1))) {
            return KNOWN;
        }
        return isBefore(version, LINES.get(0)) ? OLDER : NEWER;
    }

    private static boolean isBefore(Matcher version, String line) {
        int dot = line.indexOf('.');
        int major = Integer.compare(Integer.parseInt(version.group(2)), Integer.parseInt(line.substring(0, dot)));
        int minor = Integer.compare(Integer.parseInt(version.group(3)), Integer.parseInt(line.substring(dot + 1)));
        return major < 0 || (major == 0 && minor < 0);
    }

    /** Returns what the plugin was made for, such as {@code Spark 3.5 to 4.3 with Scala 2.13}. */
    public static String madeFor() {
        return "Spark " + LINES.get(0) + " to " + LINES.get(LINES.size() - 1) + " with Scala " + SCALA;
    }

    /** Returns what a user can do, without a full stop; empty for a known one. */
    public String remedy() {
        return switch (this) {
            case KNOWN -> "";
            case NEWER -> "use a newer boltshuffle, or set " + Options.UNKNOWN_SPARK.key() + "=try to try this one";
            case OLDER -> "use Spark " + LINES.get(0) + " or newer";
            case OTHER_SCALA -> "use a Spark for Scala " + SCALA;
        };
    }
}
