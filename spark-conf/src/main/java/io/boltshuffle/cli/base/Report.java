package io.boltshuffle.cli.base;

import io.boltshuffle.draw.TextTable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The results of a command in three forms: lines and tables for a terminal, the same as a page, and figures for
 * programs. What is wrong stands apart, one line each.
 *
 * <p><b>Threads:</b> one at a time.
 */
public final class Report {
    private final String title;
    private final List<String> text = new ArrayList<>();
    private final List<String> page = new ArrayList<>();
    private final Map<String, Object> figures = new LinkedHashMap<>();
    private final List<String> faults = new ArrayList<>();

    /** @param title of the page, which is the command */
    public Report(String title) {
        this.title = title;
    }

    /** Adds a line; an empty one separates lines in a terminal only. */
    public Report line(String line) {
        text.add(line);
        if (!line.isEmpty()) {
            page.add(Html.paragraph(line));
        }
        return this;
    }

    /** Adds a heading. */
    public Report heading(String words) {
        text.add("");
        text.add(words);
        page.add(Html.heading(words));
        return this;
    }

    /** Adds a table of figures, which are aligned to the right. */
    public Report table(TextTable table) {
        return table(table, TextTable.Align.RIGHT);
    }

    /** Adds a table. */
    public Report table(TextTable table, TextTable.Align align) {
        text.add(table.toText(align));
        page.add(table.toHtml());
        return this;
    }

    /** Adds a figure for programs, which may be whatever Jackson can write. */
    public Report figure(String name, Object value) {
        figures.put(name, value);
        return this;
    }

    /** Adds what is wrong. */
    public Report fault(String fault) {
        faults.add(fault);
        return this;
    }

    /** Returns what is wrong, one line each. */
    public List<String> faults() {
        return List.copyOf(faults);
    }

    public String toText() {
        return String.join(System.lineSeparator(), text);
    }

    /** Returns a page that stands alone. */
    public String toHtml() {
        List<String> content = new ArrayList<>(page);
        faults.forEach(fault -> content.add(Html.paragraph(fault)));
        return Html.page(title, content);
    }

    /** Returns the figures in the order in which they were added. */
    public Map<String, Object> toJson() {
        return Collections.unmodifiableMap(new LinkedHashMap<>(figures));
    }
}
