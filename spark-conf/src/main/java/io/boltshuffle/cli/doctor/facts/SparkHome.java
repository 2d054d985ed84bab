package io.boltshuffle.cli.doctor.facts;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The Spark found on a host: its home, and its versions by the name of its core jar. */
public record SparkHome(String home, String scalaVersion, String version) {

    private static final Pattern HOME = Pattern.compile("(?m)^home=(.+)$");
    private static final Pattern CORE_JAR = Pattern.compile("(?m)^spark-core_(\\d+\\.\\d+)-(\\d[^\\s]*)\\.jar$");

    static Optional<SparkHome> parse(String text) {
        Matcher home = HOME.matcher(text);
        Matcher jar = CORE_JAR.matcher(text);
        return home.find() && jar.find()
                ? Optional.of(new SparkHome(home.group(1).strip(), jar.group(1), jar.group(2)))
                : Optional.empty();
    }
}
