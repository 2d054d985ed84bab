package io.boltshuffle.spark.ui;

/**
 * A fact about this application that a user has to know and that no count shows.
 *
 * @param name such as {@code unknown_spark}, for programs; it never changes its meaning
 * @param text a sentence or two, with what to do
 */
public record Notice(String name, String text) {

    private static final String UNKNOWN_SPARK = "unknown_spark";

    static Notice unknownSpark(String text) {
        return new Notice(UNKNOWN_SPARK, text);
    }

    /** Returns whether no executor will report, because the plugin leaves everything to Spark. */
    boolean excludesReports() {
        return name.equals(UNKNOWN_SPARK);
    }
}
