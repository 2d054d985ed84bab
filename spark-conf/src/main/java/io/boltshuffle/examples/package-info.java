/**
 * Spark jobs as a user would write them: TeraSort and feature preparation. {@code bolt demo} runs them with and without
 * the plugin.
 *
 * <p><b>Must not</b> name a class of the plugin, because they are ordinary Spark programs.
 *
 * <p><b>Threads:</b> Spark's.
 */
@NullMarked
package io.boltshuffle.examples;

import org.jspecify.annotations.NullMarked;
