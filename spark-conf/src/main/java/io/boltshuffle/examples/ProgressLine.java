package io.boltshuffle.examples;

import java.util.Map;
import java.util.Optional;

/**
 * The lines that a job prints on its standard output while it runs, for the program that started it. The job's own text
 * does not begin with the mark.
 */
public sealed interface ProgressLine {
    /** No line of a job's own text begins with this mark. */
    String MARK = "##progress";

    /** The listener that prints these lines, for {@code spark.extraListeners}. */
    String LISTENER = "io.boltshuffle.examples.ProgressListener";

    /** The number of words of each kind of line, by its second word. */
    Map<String, Integer> WORDS = Map.of("tasks", 6, "note", 3, "jobs", 3, "program", 3);

    /** The number of tasks of a running stage that have succeeded so far. */
    record Tasks(int stage, String name, int done, int total) implements ProgressLine {}

    /** The progress of a measurement. */
    record Note(String text) implements ProgressLine {}

    /** The end of the application: from the start of its first job to the end of its last. */
    record JobsDone(long wallMillis) implements ProgressLine {}

    /** One of several programs that {@link InTurn} runs has succeeded. */
    record ProgramDone(String program) implements ProgressLine {}

    /** Returns one line without its line end. */
    default String format() {
        if (this instanceof Tasks t) {
            return join("tasks", t.stage, t.done, t.total, t.name.replaceAll("\\s+", " "));
        }
        if (this instanceof Note n) {
            return join("note", n.text.replaceAll("\\s+", " "));
        }
        if (this instanceof ProgramDone p) {
            return join("program", p.program);
        }
        return join("jobs", ((JobsDone) this).wallMillis);
    }

    /** Returns the meaning of a line; empty if it is the job's own text, or was not written to its end. */
    static Optional<ProgressLine> parse(String line) {
        String[] words = line.split("\t", -1);
        if (words.length < 2 || !words[0].equals(MARK) || words.length != WORDS.getOrDefault(words[1], 0)) {
            return Optional.empty();
        }
        try {
            return Optional.of(meaning(words));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static ProgressLine meaning(String[] words) {
        return switch (words[1]) {
            case "tasks" ->
                new Tasks(Integer.parseInt(words[2]), words[5], Integer.parseInt(words[3]), Integer.parseInt(words[4]));
            case "note" -> new Note(words[2]);
            case "jobs" -> new JobsDone(Long.parseLong(words[2]));
            case "program" -> new ProgramDone(words[2]);
            default -> throw new IllegalStateException(words[1]);
        };
    }

    private static String join(Object... words) {
        StringBuilder line = new StringBuilder(MARK);
        for (Object word : words) {
            line.append('\t').append(word);
        }
        return line.toString();
    }
}
