package io.boltshuffle.spark.ui;

/** Formats a table that looks like Spark's own. */
final class Table {
    private final StringBuilder html = new StringBuilder();

    Table(String... columns) {
        html.append("<table class=\"table table-bordered table-striped table-sm sortable\"><thead><tr>");
        for (String column : columns) {
            html.append(head(column));
        }
        html.append("</tr></thead><tbody>");
    }

    private static String head(String column) {
        String meaning = Glossary.meaning(column);
        String title = Figures.escape(column);
        return meaning.isEmpty()
                ? "<th>" + title + "</th>"
                : "<th title=\"" + Figures.escape(meaning) + "\"><span class=\"bolt-term\">" + title + "</span></th>";
    }

    Table row(String... cells) {
        html.append("<tr>");
        for (String cell : cells) {
            html.append("<td>").append(Figures.escape(cell)).append("</td>");
        }
        html.append("</tr>");
        return this;
    }

    String html() {
        return html + "</tbody></table>";
    }
}
