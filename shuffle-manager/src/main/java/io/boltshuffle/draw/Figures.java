package io.boltshuffle.draw;

import io.boltshuffle.conf.ByteFigures;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Figures and texts as the page writes them. */
public final class Figures {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);

    private Figures() {}

    public static String bytes(long bytes) {
        return ByteFigures.bytes(bytes);
    }

    public static String rate(double bytesPerSecond) {
        return ByteFigures.rate(bytesPerSecond);
    }

    public static String percent(long part, long whole) {
        return whole <= 0 ? "–" : String.format(Locale.ROOT, "%.0f %%", 100.0 * part / whole);
    }

    public static String millis(double millis) {
        return String.format(Locale.ROOT, millis >= 100 ? "%.0f ms" : millis >= 10 ? "%.1f ms" : "%.2f ms", millis);
    }

    public static String seconds(long millis) {
        return String.format(Locale.ROOT, "%.1f s", millis / 1e3);
    }

    public static String time(long timeMillis) {
        return TIME.format(Instant.ofEpochMilli(timeMillis).atZone(ZoneId.systemDefault()));
    }

    /** A coordinate or a width in a drawing. */
    public static String number(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    /** A reason's name as words. */
    public static String words(String name) {
        return name.toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** Text from outside, made harmless in HTML, SVG and attributes. */
    public static String escape(String text) {
        StringBuilder safe = new StringBuilder(text.length());
        text.codePoints().forEach(point -> {
            switch (point) {
                case '<' -> safe.append("&lt;");
                case '>' -> safe.append("&gt;");
                case '&' -> safe.append("&amp;");
                case '"' -> safe.append("&quot;");
                case '\'' -> safe.append("&#39;");
                default -> safe.appendCodePoint(Character.isISOControl(point) ? ' ' : point);
            }
        });
        return safe.toString();
    }
}
