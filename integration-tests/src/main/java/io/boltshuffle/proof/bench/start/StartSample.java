package io.boltshuffle.proof.bench.start;

import io.boltshuffle.cli.base.BoltException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The life of one application.
 *
 * @param sparkMillis from the start of the driver's JVM until Spark was there
 * @param jobMillis from the same until its job was over
 * @param wholeMillis from the command until the process had ended
 */
record StartSample(long sparkMillis, long jobMillis, long wholeMillis) {
    private static final Pattern LINE = Pattern.compile("(\\d+) (\\d+)");

    /** @param line what the application printed last */
    static StartSample of(String line, long wholeMillis) {
        Matcher numbers = LINE.matcher(line);
        if (!numbers.matches()) {
            throw BoltException.failed("the application printed no times but: " + line);
        }
        return new StartSample(Long.parseLong(numbers.group(1)), Long.parseLong(numbers.group(2)), wholeMillis);
    }
}
