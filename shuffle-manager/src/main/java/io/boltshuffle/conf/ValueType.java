package io.boltshuffle.conf;

/**
 * Turns an option's text into a value and checks the limits: a value that parses is legal.
 *
 * @see ValueTypes
 */
public interface ValueType<T> {

    /** Returns the type's name for the documentation. */
    String name();

    /** Returns what a legal value is, in words that can follow "it must be". */
    String limits();

    /**
     * Reads a value.
     *
     * @throws IllegalArgumentException if the text is no value of this type or lies outside its limits
     */
    T parse(String text);

    /** Returns the text that {@link #parse} reads back as {@code value}. */
    String format(T value);
}
