/**
 * {@code bolt savings}: what the plugin would save, estimated from the event logs of stock Spark.
 *
 * <p><b>Must not</b> be mistaken for a measurement: text, page and JSON say that they are an estimate, and name the
 * assumptions.
 *
 * <p><b>Threads:</b> the main thread.
 */
@NullMarked
package io.boltshuffle.cli.savings;

import org.jspecify.annotations.NullMarked;
