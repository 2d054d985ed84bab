/**
 * A Spark to run with: fetched from Maven Central into the user's cache, or the one at {@code SPARK_HOME}. Also the
 * command lines that it needs, as Spark's own launcher library writes them, with the plugin's flags.
 *
 * <p><b>Must not</b> load a Spark class into this process.
 *
 * <p><b>Threads:</b> the caller's.
 */
@NullMarked
package io.boltshuffle.cli.runtime;

import org.jspecify.annotations.NullMarked;
