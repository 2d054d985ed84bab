package io.boltshuffle.conf;

import java.util.Locale;

/**
 * Formats amounts of bytes for people, alike in every place: in powers of 1024, as Spark's own pages and all options
 * do, with one decimal.
 */
public final class ByteFigures {
    private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};

    /** The figure above which one decimal would read 1024.0 of its unit. */
    private static final double NEXT_UNIT = 1023.95;

    private ByteFigures() {}

    /** Returns, for example, {@code 17 B} or {@code 3.0 MiB}. */
    public static String bytes(long bytes) {
        return scaled((double) bytes);
    }

    /** Returns, for example, {@code 2.9 GiB/s}. */
    public static String rate(double bytesPerSecond) {
        return scaled(bytesPerSecond) + "/s";
    }

    private static String scaled(double bytes) {
        double value = bytes;
        int unit = 0;
        while (value >= (unit == 0 ? 1023.5 : NEXT_UNIT) && unit < UNITS.length - 1) {
            value /= 1024;
            unit++;
        }
        return String.format(Locale.ROOT, unit == 0 ? "%.0f %s" : "%.1f %s", value, UNITS[unit]);
    }
}
