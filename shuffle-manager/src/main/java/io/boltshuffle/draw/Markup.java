package io.boltshuffle.draw;

import java.util.List;
import java.util.stream.Collectors;

/** Text from outside, made harmless in HTML, SVG, XML and their attributes. */
public final class Markup {
    private Markup() {}

    /** Control characters become blanks: XML has no way to write them. */
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

    /**
     * Returns a row of an HTML table.
     *
     * @param element {@code td}, or {@code th} for a heading
     */
    public static String row(String element, List<String> cells) {
        return cells.stream()
                .map(cell -> "<" + element + ">" + escape(cell) + "</" + element + ">")
                .collect(Collectors.joining("", "<tr>", "</tr>\n"));
    }
}
