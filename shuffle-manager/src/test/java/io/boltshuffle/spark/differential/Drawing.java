package io.boltshuffle.spark.differential;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Makes the choices of a trial: at random, or as a line says. A choice that the line does not name is the first of the
 * possible ones, which is the simplest.
 */
final class Drawing {
    private final @Nullable RandomGenerator random;
    private final Map<String, String> given;
    private final Coverage coverage;
    private final Map<String, String> made = new LinkedHashMap<>();

    private Drawing(@Nullable RandomGenerator random, Map<String, String> given, Coverage coverage) {
        this.random = random;
        this.given = given;
        this.coverage = coverage;
    }

    /** Draws at random, and counts there what it draws. */
    static Drawing ofSeed(long seed, Coverage coverage) {
        return new Drawing(new SplittableRandom(seed), Map.of(), coverage);
    }

    static Drawing of(Map<String, String> choices) {
        return new Drawing(null, choices, new Coverage());
    }

    /** Reads a line of {@link #line}. */
    static Map<String, String> parse(String line) {
        return Stream.of(line.strip().split("\\s+", -1))
                .filter(choice -> !choice.isEmpty())
                .map(choice -> choice.split("=", 2))
                .collect(Collectors.toMap(
                        choice -> choice[0], choice -> choice[1], (first, second) -> second, LinkedHashMap::new));
    }

    static String line(Map<String, String> choices) {
        return choices.entrySet().stream()
                .map(choice -> choice.getKey() + "=" + choice.getValue())
                .collect(Collectors.joining(" "));
    }

    /** Chooses one value; one that is listed twice is twice as likely. */
    <T> T oneOf(String dimension, List<T> values) {
        String wanted = given.get(dimension);
        T chosen = wanted != null
                ? values.stream()
                        .filter(value -> value.toString().equals(wanted))
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException(dimension + " cannot be " + wanted))
                : values.get(random == null ? 0 : random.nextInt(values.size()));
        coverage.drawn(dimension, values, chosen);
        made.put(dimension, chosen.toString());
        return chosen;
    }

    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only read
    final <T> T oneOf(String dimension, T... values) {
        return oneOf(dimension, List.of(values));
    }

    boolean flag(String dimension) {
        return oneOf(dimension, List.of(false, true));
    }

    /** Chooses a number, whose values {@link Coverage} does not count. */
    int number(String dimension, int least, int most) {
        String wanted = given.get(dimension);
        int chosen = wanted != null
                ? Integer.parseInt(wanted)
                : random == null ? least : random.nextInt(least, Math.addExact(most, 1));
        made.put(dimension, String.valueOf(chosen));
        return chosen;
    }

    /** Returns all choices so far. */
    Map<String, String> made() {
        return made;
    }

    /** Requires that each choice of the line was asked for: a line may be older than the dimensions. */
    void requireAllUsed() {
        for (String dimension : given.keySet()) {
            if (!made.containsKey(dimension)) {
                throw new IllegalArgumentException("no trial with " + made + " has a choice of " + dimension);
            }
        }
    }
}
