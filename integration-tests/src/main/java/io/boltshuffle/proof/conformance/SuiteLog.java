package io.boltshuffle.proof.conformance;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;

/** Reads what a suite's JVM printed. */
final class SuiteLog {
    private static final String ABORTED = "*** RUN ABORTED ***";

    /** These lines say that the suite was aborted, and by what. */
    private static final int LINES_FROM_ABORTED = 2;

    private static final int LAST_LINES = 3;
    private static final int LONGEST_LINE = 300;

    private SuiteLog() {}

    /** Returns in one line why the suite did not end: what ScalaTest says about it, or else what was printed last. */
    static String lastWords(Path log) {
        Deque<String> words = new ArrayDeque<>();
        boolean aborted = false;
        // Files.newBufferedReader would refuse text that is not UTF-8.
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(Files.newInputStream(log), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.contains(ABORTED)) {
                    words.clear();
                    aborted = true;
                }
                if (aborted && words.size() == LINES_FROM_ABORTED) {
                    break;
                }
                if (!line.isBlank()) {
                    words.addLast(shortened(line.strip()));
                }
                if (words.size() > LAST_LINES) {
                    words.removeFirst();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return words.isEmpty() ? "its log is empty" : String.join(" | ", words);
    }

    private static String shortened(String line) {
        return line.length() > LONGEST_LINE ? line.substring(0, LONGEST_LINE) + "..." : line;
    }
}
