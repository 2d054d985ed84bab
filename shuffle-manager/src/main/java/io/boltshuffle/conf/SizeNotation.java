package io.boltshuffle.conf;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sizes as text, in Spark's notation: {@code 4096}, {@code 64k}, {@code 512m}, {@code 2g}; powers of 1024. */
final class SizeNotation {
    private static final Pattern FORM = Pattern.compile("(\\d{1,18})\\s*([bkmgt]?)b?");
    private static final String UNITS = "bkmgt";

    private SizeNotation() {}

    static long parse(String text) {
        Matcher matcher = FORM.matcher(text.toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new IllegalArgumentException("not a size");
        }
        try {
            return Math.multiplyExact(Long.parseLong(matcher.group(1)), 1L << (UNITS.indexOf(matcher.group(2)) * 10));
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("larger than any memory", e);
        }
    }

    /** Formats the size in the largest unit that states it exactly. */
    static String format(long bytes) {
        int unit = bytes == 0 ? 0 : Math.min(Long.numberOfTrailingZeros(bytes) / 10, UNITS.length() - 1);
        return (bytes >> (unit * 10)) + (unit == 0 ? "" : UNITS.substring(unit, unit + 1));
    }
}
