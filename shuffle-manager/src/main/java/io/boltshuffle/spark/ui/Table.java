package io.boltshuffle.spark.ui;

/** A table that looks like Spark's own. */
final class Table {
    private final StringBuilder html = new StringBuilder();

    Table(String... columns) {
        html.append("<table class=\"table table-bordered table-striped table-sm sortable\"><thead><tr>");
        for (String column : columns) {
            html.append("<th>").append(Figures.escape(column)).append("</th>");
        }
        html.append("</tr></thead><tbody>");
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
