package io.boltshuffle.conf;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Locale.ROOT;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The types that options have. Users write sizes and durations as Spark does: {@code 64m}, {@code 500ms}. */
final class ValueTypes {

    private ValueTypes() {}

    /** Accepts the two words {@code true} and {@code false} only, so that {@code yes} does not silently mean no. */
    static ValueType<Boolean> flag() {
        return new ValueType<>("boolean", "true or false", ValueTypes::parseFlag, String::valueOf);
    }

    /** Accepts a whole number from {@code min} to {@code max}, both legal. */
    static ValueType<Integer> wholeNumber(int min, int max) {
        return new ValueType<>(
                "integer",
                "a whole number from " + min + " to " + max,
                text -> within(min, max, Integer.valueOf(text)),
                String::valueOf);
    }

    /** Accepts a number of bytes from {@code min} to {@code max}, both legal. */
    static ValueType<Long> size(long min, long max) {
        return new ValueType<>(
                "size",
                "a size from " + SizeNotation.format(min) + " to " + SizeNotation.format(max),
                text -> within(min, max, SizeNotation.parse(text)),
                SizeNotation::format);
    }

    /** Accepts what {@link #size} accepts, and rounds it down to a multiple of the step. */
    static ValueType<Long> sizeInSteps(long min, long max, long stepBytes) {
        ValueType<Long> size = size(min, max);
        return new ValueType<>(
                size.name(),
                size.limits() + ", rounded down to a multiple of " + SizeNotation.format(stepBytes),
                text -> size.parse(text) / stepBytes * stepBytes,
                size::format);
    }

    /** Accepts a time from {@code min} to {@code max}, both legal; the user must write the unit. */
    static ValueType<Duration> time(Duration min, Duration max) {
        return new ValueType<>(
                "time",
                "a time from " + TimeSpan.format(min) + " to " + TimeSpan.format(max) + ", with its unit",
                text -> within(min, max, TimeSpan.parse(text)),
                TimeSpan::format);
    }

    /** Accepts the names of an enum, in upper or lower case. */
    static <E extends Enum<E>> ValueType<E> oneOf(Class<E> choices) {
        String names = Arrays.stream(choices.getEnumConstants())
                .map(choice -> choice.name().toLowerCase(ROOT))
                .collect(Collectors.joining(", "));
        return new ValueType<>(
                "choice",
                "one of " + names,
                text -> Enum.valueOf(choices, text.toUpperCase(ROOT)),
                e -> e.name().toLowerCase(ROOT));
    }

    /** Accepts text of limited length, which has to fit into a message; empty text stands for "not set". */
    static ValueType<String> text(int maxBytes) {
        return new ValueType<>(
                "text",
                "a text of at most " + maxBytes + " bytes",
                text -> {
                    if (text.getBytes(UTF_8).length > maxBytes) {
                        throw new IllegalArgumentException("too long");
                    }
                    return text;
                },
                Function.identity());
    }

    /**
     * Accepts the absolute path of a file or directory, because processes with other working directories read it. Empty
     * text stands for "not set".
     */
    static ValueType<String> path() {
        return new ValueType<>("path", "an absolute path", ValueTypes::parsePath, Function.identity());
    }

    /** Accepts names separated by commas; empty text stands for "not set". */
    static ValueType<String> names() {
        return new ValueType<>(
                "names", "names separated by commas, each once", ValueTypes::parseNames, Function.identity());
    }

    private static String parsePath(String text) {
        if (!text.isEmpty() && !Path.of(text).isAbsolute()) {
            throw new IllegalArgumentException("not absolute");
        }
        return text;
    }

    private static String parseNames(String text) {
        List<String> names =
                Arrays.stream(text.split(",", -1)).map(String::strip).toList();
        if (!text.isEmpty()
                && (names.stream().anyMatch(name -> name.isEmpty() || !name.matches("\\S+"))
                        || names.stream().distinct().count() < names.size())) {
            throw new IllegalArgumentException("an empty name, one with blanks, or one twice");
        }
        return text;
    }

    private static Boolean parseFlag(String text) {
        return switch (text.toLowerCase(ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("neither true nor false");
        };
    }

    private static <T extends Comparable<T>> T within(T min, T max, T value) {
        if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
            throw new IllegalArgumentException("out of range");
        }
        return value;
    }
}
