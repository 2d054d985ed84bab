package io.boltshuffle.proof.queries;

import io.boltshuffle.cli.base.BoltException;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Chooses queries of a benchmark.
 *
 * @param names such as {@code q3}; empty for all
 * @param part of {@code parts}, counted from 1: every n-th of these queries, which gives each part long and short ones
 */
public record QueryChoice(List<String> names, int part, int parts) {
    private static final Pattern PART = Pattern.compile("(\\d{1,3})/(\\d{1,3})");

    public QueryChoice {
        names = List.copyOf(names);
        if (part < 1 || part > parts) {
            throw BoltException.usage("there is no part " + part + "/" + parts);
        }
    }

    /**
     * Returns a part of these queries.
     *
     * @param part such as {@code 2/8}
     */
    public static QueryChoice of(List<String> names, String part) {
        Matcher words = PART.matcher(part);
        if (!words.matches()) {
            throw BoltException.usage("--part is '" + part + "'; it has to be like 2/8");
        }
        return new QueryChoice(names, Integer.parseInt(words.group(1)), Integer.parseInt(words.group(2)));
    }

    /** Returns the chosen queries that a benchmark has; an empty result is refused. */
    List<String> of(String benchmark, Set<String> queries) {
        List<String> unknown =
                names.stream().filter(name -> !queries.contains(name)).toList();
        if (!unknown.isEmpty()) {
            throw BoltException.usage(benchmark + " has no query " + String.join(", ", unknown));
        }
        List<String> wanted = queries.stream()
                .filter(query -> names.isEmpty() || names.contains(query))
                .sorted()
                .toList();
        List<String> chosen = IntStream.range(0, wanted.size())
                .filter(index -> index % parts == part - 1)
                .mapToObj(wanted::get)
                .toList();
        if (chosen.isEmpty()) {
            throw BoltException.usage("there is no query of " + benchmark + " in part " + part + "/" + parts);
        }
        return chosen;
    }
}
