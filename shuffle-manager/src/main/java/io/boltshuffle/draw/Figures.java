package io.boltshuffle.draw;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Shares and times for people; {@link io.boltshuffle.conf.ByteFigures} writes amounts of bytes. */
public final class Figures {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);

    private Figures() {}

    public static String percent(long part, long whole) {
        return whole <= 0 ? "–" : String.format(Locale.ROOT, "%.0f %%", 100.0 * part / whole);
    }

    public static String millis(double millis) {
        return String.format(Locale.ROOT, millis >= 100 ? "%.0f ms" : millis >= 10 ? "%.1f ms" : "%.2f ms", millis);
    }

    public static String seconds(double seconds) {
        return String.format(Locale.ROOT, "%.1f s", seconds);
    }

    /** Formats how long something has lasted: seconds, or hours, minutes and seconds. */
    public static String age(long millis) {
        long seconds = millis / 1000;
        return seconds < 60
                ? seconds + " s"
                : String.format(Locale.ROOT, "%d:%02d:%02d", seconds / 3600, seconds / 60 % 60, seconds % 60);
    }

    /** Returns the time of day, in this machine's time zone. */
    public static String time(long timeMillis) {
        return TIME.format(Instant.ofEpochMilli(timeMillis).atZone(ZoneId.systemDefault()));
    }

    /** Returns the name of a constant as words. */
    public static String words(String name) {
        return name.toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
