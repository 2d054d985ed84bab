/**
 * Compares the plugin's writer and reader with those of Spark: both get the same records, settings and faults, and must
 * end alike. A {@link io.boltshuffle.spark.differential.Trial} is drawn from a seed, and can be printed as one line
 * that draws it again.
 *
 * <p><b>Must not</b> know how a writer works inside: it looks at files, metrics, memory and what a reader reads.
 *
 * <p><b>Threads:</b> all on the test's thread, which plays the thread of a task.
 */
@NullMarked
package io.boltshuffle.spark.differential;

import org.jspecify.annotations.NullMarked;
