package io.boltshuffle.proof.bench.network;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The bits per second that a port or a cable carries in each direction; above 0. */
public record Bandwidth(double bitsPerSecond) {
    private static final Pattern TEXT = Pattern.compile("(\\d{1,6}(?:\\.\\d{1,3})?)([kmg]bit)");
    private static final Map<String, Double> UNITS = Map.of("kbit", 1e3, "mbit", 1e6, "gbit", 1e9);
    private static final double BITS = 8;

    static Bandwidth ofGigabits(double gigabits) {
        return new Bandwidth(gigabits * 1e9);
    }

    static Bandwidth ofGigabytes(double gigabytes) {
        return ofGigabits(gigabytes * BITS);
    }

    Bandwidth times(double factor) {
        return new Bandwidth(bitsPerSecond * factor);
    }

    long bytesPerSecond() {
        return Math.max(1, Math.round(bitsPerSecond / BITS));
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%sbit/s (%sB/s)", rounded(bitsPerSecond), rounded(bitsPerSecond / BITS));
    }

    private static String rounded(double value) {
        if (value >= 1e9) {
            return String.format(Locale.ROOT, "%.2f G", value / 1e9);
        }
        return String.format(Locale.ROOT, "%.1f M", value / 1e6);
    }

    /** Converts for picocli. */
    public static final class Converter implements ITypeConverter<Bandwidth> {
        @Override
        public Bandwidth convert(String text) {
            Matcher matcher = TEXT.matcher(text);
            if (!matcher.matches() || Double.parseDouble(matcher.group(1)) == 0) {
                throw new TypeConversionException("'" + text + "' is no rate such as 71.4mbit or 2.5gbit");
            }
            return new Bandwidth(Double.parseDouble(matcher.group(1)) * UNITS.getOrDefault(matcher.group(2), 1.0));
        }
    }
}
