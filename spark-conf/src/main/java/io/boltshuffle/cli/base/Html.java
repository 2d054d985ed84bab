package io.boltshuffle.cli.base;

import io.boltshuffle.draw.Markup;
import java.util.List;

/** Writes a page that stands alone: no script, no font, no picture from elsewhere. */
final class Html {
    /** The style of the page, light or dark as the reader's system is. */
    private static final String STYLE = """
            :root { color-scheme: light dark; --text: #222; --page: #fff; --line: #ddd }
            @media (prefers-color-scheme: dark) { :root { --text: #ddd; --page: #181a1b; --line: #444 } }
            body { font: 15px/1.5 system-ui, sans-serif; max-width: 1240px; margin: 2em auto; padding: 0 1em; \
            color: var(--text); background: var(--page) }
            table { border-collapse: collapse; font-size: 13px; margin: 1em 0; display: block; overflow-x: auto }
            th, td { padding: 2px 10px; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap }
            th:first-child, td:first-child { text-align: left }
            """;

    private Html() {}

    static String page(String title, List<String> content) {
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

    static String heading(String text) {
        return "<h2>" + Markup.escape(text) + "</h2>";
    }

    static String paragraph(String text) {
        return "<p>" + Markup.escape(text) + "</p>";
    }
}
