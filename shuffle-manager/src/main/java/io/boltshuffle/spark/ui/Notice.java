package io.boltshuffle.spark.ui;

/**
 * Something about this application that a user has to know and that no count shows.
 *
 * @param name such as {@code unknown_spark}, for programs; it never changes its meaning
 * @param text a sentence or two, with what to do
 */
record Notice(String name, String text) {}
