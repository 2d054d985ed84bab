/**
 * A Spark to run with: the one at {@code SPARK_HOME} or of the active Python environment, or one that is fetched from
 * Maven Central or by pip into the user's cache. Also the command lines that it needs, as Spark's own launcher library
 * writes them, with the plugin's flags.
 *
 * <p><b>Must not</b> load a Spark class into this process.
 *
 * <p><b>Threads:</b> the caller's.
 */
@NullMarked
package io.boltshuffle.cli.runtime;

import org.jspecify.annotations.NullMarked;
