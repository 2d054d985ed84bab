package io.boltshuffle.draw;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Rows of words, each with one cell for every column of the header. */
public record TextTable(List<String> header, List<List<String>> rows) {

    /** The alignment in a terminal of the columns after the first one, which always begins at the left. */
    public enum Align {
        LEFT,
        RIGHT
    }

    /** Formats figures for a terminal: all columns but the first are aligned to the right. */
    public String toText() {
        return toText(Align.RIGHT);
    }

    /** Formats the table for a terminal. */
    public String toText(Align align) {
        int[] widths = IntStream.range(0, header.size()).map(this::width).toArray();
        return Stream.concat(Stream.of(header), rows.stream())
                .map(row -> line(row, widths, align))
                .collect(Collectors.joining(System.lineSeparator()));
    }

    public String toHtml() {
        return rows.stream()
                .map(row -> Markup.row("td", row))
                .collect(Collectors.joining("", "<table>\n" + Markup.row("th", header), "</table>"));
    }

    private int width(int column) {
        return Stream.concat(Stream.of(header), rows.stream())
                .mapToInt(row -> row.get(column).length())
                .max()
                .orElse(0);
    }

    private static String line(List<String> cells, int[] widths, Align align) {
        return IntStream.range(0, widths.length)
                .mapToObj(column -> {
                    String cell = cells.get(column);
                    String padding = " ".repeat(widths[column] - cell.length());
                    return column > 0 && align == Align.RIGHT ? padding + cell : cell + padding;
                })
                .collect(Collectors.joining("  "))
                .stripTrailing();
    }
}
