package io.boltshuffle.cli.base;

import io.boltshuffle.draw.Markup;
import java.util.List;

/** Writes a page that stands alone: no script, no font, no picture from elsewhere. */
public final class Html {
    private static final String STYLE = """
            body { font: 15px/1.5 system-ui, sans-serif; max-width: 1000px; margin: 2em auto; padding: 0 1em; color: \
            #222 }
            table { border-collapse: collapse; font-size: 13px; margin: 1em 0 }
            th, td { padding: 2px 10px; text-align: right; border-bottom: 1px solid #ddd; white-space: nowrap }
            th:first-child, td:first-child { text-align: left }
            svg { width: 100%; font: 12px system-ui, sans-serif; margin: 1em 0 }
            svg .title { font-weight: bold } svg .small { font-size: 10px; fill: #555 } svg .grid { stroke: #ddd }
            """;

    private Html() {}

    public static String page(String title, List<String> content) {
        return """
                <!DOCTYPE html>
                <html lang="en">
                <head><meta charset="utf-8"><title>%1$s</title><style>
                %2$s</style></head>
                <body><h1>%1$s</h1>
                %3$s
                </body>
                </html>
                """.formatted(Markup.escape(title), STYLE, String.join("\n", content));
    }

    public static String heading(String text) {
        return "<h2>" + Markup.escape(text) + "</h2>";
    }

    public static String paragraph(String text) {
        return "<p>" + Markup.escape(text) + "</p>";
    }
}
