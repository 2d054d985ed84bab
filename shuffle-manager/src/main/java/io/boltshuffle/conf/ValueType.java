package io.boltshuffle.conf;

import java.util.function.Function;

/**
 * Turns an option's text into a value and checks the limits: a value that parses is legal.
 *
 * @param name the type's name for the documentation
 * @param limits what a legal value is, in words that can follow "it must be"
 * @see ValueTypes
 */
public record ValueType<T>(String name, String limits, Function<String, T> parser, Function<T, String> formatter) {

    /** @throws IllegalArgumentException if the text is no value of this type or lies outside its limits */
    public T parse(String text) {
        return parser.apply(text);
    }

    /** Returns the text that {@link #parse} reads back as {@code value}. */
    public String format(T value) {
        return formatter.apply(value);
    }
}
