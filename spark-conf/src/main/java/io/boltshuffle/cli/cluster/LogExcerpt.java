package io.boltshuffle.cli.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the few lines of a log that say why something failed. */
public final class LogExcerpt {
    private static final int LAST_LINES = 5;
    /** Matches a line of a log without its time and thread, which do not help the reader of one line. */
    private static final Pattern ERROR = Pattern.compile("\\S.* ERROR (?:\\S+: )?(.*)");

    private static final Pattern COLOUR = Pattern.compile("\u001B\\[[0-9;]*m");
    private static final int LONGEST_LINE = 400;

    private LogExcerpt() {}

    /** Returns the innermost cause if an exception ended the program, or else the last lines. */
    public static String ofFailure(Path log) {
        List<String> lines;
        try {
            lines = new String(Files.readAllBytes(log), StandardCharsets.UTF_8)
                    .lines()
                    .map(line -> COLOUR.matcher(line).replaceAll(""))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (lines.stream().anyMatch(LogExcerpt::tellsOfAFullDisk)) {
            return "the disk is full (No space left on device): free some space, or give a smaller --size";
        }
        List<String> told = new ArrayList<>();
        for (String line : lines) {
            if (line.startsWith("Exception in thread") || line.startsWith("Caused by: ")) {
                told.add(line);
            }
        }
        if (told.isEmpty()) {
            lines.stream()
                    .map(ERROR::matcher)
                    .filter(Matcher::matches)
                    .map(error -> error.group(1))
                    .reduce((first, second) -> second)
                    .ifPresent(told::add);
        }
        if (told.isEmpty()) {
            told.addAll(lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
        } else {
            told = List.of(told.get(told.size() - 1));
        }
        return String.join(
                System.lineSeparator(),
                told.stream()
                        .map(line -> line.length() > LONGEST_LINE ? line.substring(0, LONGEST_LINE) : line)
                        .toList());
    }

    /**
     * Returns whether a line says that a disk is full. A slab that does not fit into shared memory is another case, for
     * which the agent's message names the remedy.
     */
    private static boolean tellsOfAFullDisk(String line) {
        return line.contains("No space left on device") && !line.contains("slab");
    }
}
