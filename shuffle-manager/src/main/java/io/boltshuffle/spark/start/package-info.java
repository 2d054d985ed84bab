/**
 * The decisions before a shuffle starts: the plugin's settings among Spark's, and whether this Spark is one that the
 * plugin was made for.
 *
 * <p><b>Must not</b> start or keep anything.
 *
 * <p><b>Threads:</b> none of its own; all is static.
 */
@NullMarked
package io.boltshuffle.spark.start;

import org.jspecify.annotations.NullMarked;
