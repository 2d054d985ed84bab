package io.boltshuffle.proof.bench.publish;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A page with tables that are made from files of figures, between two marks that say which. */
record FiguresPage(String text) {
    /** Says of the tables of a section, or before the first one of all tables, that their figures were not kept. */
    static final String NOT_KEPT = "<!-- figures: not kept -->";

    private static final String END = "<!-- end of figures -->";
    private static final Pattern BLOCK = Pattern.compile(
            "(?s)(<!-- figures, (" + PublishedTable.words() + "): ([^>]+?) -->\n).*?" + Pattern.quote(END));

    /** Returns the page with every table made anew. */
    String generated(Path figures) {
        return BLOCK.matcher(text)
                .replaceAll(block -> Matcher.quoteReplacement(block.group(1)
                        + content(PublishedTable.of(block.group(2)), files(figures, block.group(3)))
                        + END));
    }

    private static List<FiguresFile> files(Path figures, String names) {
        return Arrays.stream(names.split(",\\s*", -1))
                .map(name -> FiguresFile.read(figures, name))
                .toList();
    }

    private static String content(PublishedTable table, List<FiguresFile> files) {
        return "\n" + table.of(files) + "\n\n"
                + files.stream().map(file -> "- " + file.origin()).collect(Collectors.joining("\n", "", "\n"));
    }

    /** Returns the first lines of tables that are neither made from figures nor marked. */
    List<String> strayTables() {
        List<String> stray = new ArrayList<>();
        boolean inSection = false;
        boolean pageMarked = false;
        boolean sectionMarked = false;
        boolean inBlock = false;
        String before = "";
        for (String line : text.lines().toList()) {
            if (line.startsWith("##")) {
                inSection = true;
                sectionMarked = false;
            } else if (line.equals(NOT_KEPT)) {
                sectionMarked = true;
                pageMarked |= !inSection;
            } else if (line.startsWith("<!-- figures, ")) {
                inBlock = true;
            } else if (line.equals(END)) {
                inBlock = false;
            } else if (line.startsWith("|") && !before.startsWith("|") && !inBlock && !sectionMarked && !pageMarked) {
                stray.add(line);
            }
            before = line;
        }
        return stray;
    }
}
