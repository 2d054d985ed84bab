package io.boltshuffle.spark.ui;

import io.boltshuffle.conf.ByteFigures;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Formats figures and texts for the page. */
final class Figures {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);

    private Figures() {}

    static String bytes(long bytes) {
        return ByteFigures.bytes(bytes);
    }

    static String rate(double bytesPerSecond) {
        return ByteFigures.rate(bytesPerSecond);
    }

    static String percent(long part, long whole) {
        return whole <= 0 ? "–" : String.format(Locale.ROOT, "%.0f %%", 100.0 * part / whole);
    }

    static String millis(double millis) {
        return String.format(Locale.ROOT, millis >= 100 ? "%.0f ms" : millis >= 10 ? "%.1f ms" : "%.2f ms", millis);
    }

    static String seconds(long millis) {
        return String.format(Locale.ROOT, "%.1f s", millis / 1e3);
    }

    static String time(long timeMillis) {
        return TIME.format(Instant.ofEpochMilli(timeMillis).atZone(ZoneId.systemDefault()));
    }

    /** Formats a coordinate or a width in a drawing. */
    static String number(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    /** Returns a reason's name as words. */
    static String words(String name) {
        return name.toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** Makes text from outside harmless in HTML, SVG and attributes. */
    static String escape(String text) {
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
