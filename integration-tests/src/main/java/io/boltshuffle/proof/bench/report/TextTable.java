package io.boltshuffle.proof.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** A table of words: the first column is aligned to the left, the others to the right. */
public record TextTable(List<String> header, List<List<String>> rows) {

    /** Returns the table for a terminal. */
    public String toText() {
        int[] widths = IntStream.range(0, header.size()).map(this::width).toArray();
        List<String> lines = new ArrayList<>();
        lines.add(line(header, widths));
        rows.forEach(row -> lines.add(line(row, widths)));
        return String.join(System.lineSeparator(), lines);
    }

    public String toHtml() {
        StringBuilder html = new StringBuilder("<table>\n").append(htmlRow("th", header));
        rows.forEach(row -> html.append(htmlRow("td", row)));
        return html.append("</table>").toString();
    }

    private static String htmlRow(String element, List<String> cells) {
        StringBuilder row = new StringBuilder("<tr>");
        cells.forEach(cell -> row.append("<%s>%s</%s>".formatted(element, Html.escape(cell), element)));
        return row.append("</tr>\n").toString();
    }

    private int width(int column) {
        return Math.max(
                header.get(column).length(),
                rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0));
    }

    private static String line(List<String> cells, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < cells.size(); column++) {
            String padding = " ".repeat(widths[column] - cells.get(column).length());
            line.append(column == 0 ? cells.get(0) + padding : "  " + padding + cells.get(column));
        }
        return line.toString();
    }
}
