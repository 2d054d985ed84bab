package io.boltshuffle.cli.doctor.facts;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The Java that Spark would use, from {@code java -version}. */
public record JavaVersion(int feature, String text) {

    private static final Pattern QUOTED = Pattern.compile("version \"((?:1\\.)?(\\d{1,3})[^\"]*)\"");

    static Optional<JavaVersion> parse(String version) {
        Matcher matcher = QUOTED.matcher(version);
        return matcher.find()
                ? Optional.of(new JavaVersion(Integer.parseInt(matcher.group(2)), matcher.group(1)))
                : Optional.empty();
    }
}
