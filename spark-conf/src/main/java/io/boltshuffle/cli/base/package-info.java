/**
 * Parts that every verb uses: a failure of one line with its exit code, output to the terminal, processes and files
 * that are ended and removed in good order, and the jars that this command was started from.
 *
 * <p><b>Must not</b> name a verb, or Spark.
 *
 * <p><b>Threads:</b> the main thread, except that a teardown may run in a shutdown hook.
 */
@NullMarked
package io.boltshuffle.cli.base;

import org.jspecify.annotations.NullMarked;
