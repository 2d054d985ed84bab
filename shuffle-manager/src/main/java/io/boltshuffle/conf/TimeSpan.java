package io.boltshuffle.conf;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads and writes times in Spark's notation: {@code 250ms}, {@code 5s}, {@code 2min}, {@code 1h}. */
public final class TimeSpan {
    private static final Pattern FORM = Pattern.compile("(\\d{1,12})\\s*(ms|s|m|min|h)");

    private TimeSpan() {}

    /** @throws IllegalArgumentException for a text of another form; its message says which form it has not */
    public static Duration parse(String text) {
        Matcher matcher = FORM.matcher(text.toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new IllegalArgumentException("not a time with its unit");
        }
        ChronoUnit unit = switch (matcher.group(2)) {
            case "ms" -> ChronoUnit.MILLIS;
            case "s" -> ChronoUnit.SECONDS;
            case "h" -> ChronoUnit.HOURS;
            default -> ChronoUnit.MINUTES;
        };
        return Duration.of(Long.parseLong(matcher.group(1)), unit);
    }

    /** Formats the time in the largest unit that states it exactly. */
    static String format(Duration span) {
        long millis = span.toMillis();
        if (millis % 1000 != 0 || millis == 0) {
            return millis + "ms";
        }
        if (millis % 60_000 != 0) {
            return millis / 1000 + "s";
        }
        return millis % 3_600_000 != 0 ? millis / 60_000 + "min" : millis / 3_600_000 + "h";
    }
}
