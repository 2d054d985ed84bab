package io.boltshuffle.conf;

/**
 * How an option's text becomes a value, limits included: a value that parses is a legal one.
 *
 * @see ValueTypes
 */
public interface ValueType<T> {

    /** The type's name in the documentation. */
    String name();

    /** What a legal value is, to follow "it must be". */
    String limits();

    /**
     * Reads a value.
     *
     * @throws IllegalArgumentException if the text is no value of this type or lies outside its limits
     */
    T parse(String text);

    /** The text that {@link #parse} reads back as {@code value}. */
    String format(T value);
}
