/**
 * What every verb stands on: a failure told in one line with its exit code, what goes to the terminal, processes and
 * files that are ended and removed in good order, and the jars this command was started from.
 *
 * <p><b>Must not</b> name a verb, or Spark.
 *
 * <p><b>Threads:</b> the main thread, but for a teardown in a shutdown hook.
 */
@NullMarked
package io.boltshuffle.cli.base;

import org.jspecify.annotations.NullMarked;
