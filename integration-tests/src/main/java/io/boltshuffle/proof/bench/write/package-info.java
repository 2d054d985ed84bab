/**
 * {@code bolt bench write} measures the cost of the map side of a shuffle with Spark's writers and with the plugin's.
 *
 * <p><b>Must not</b> measure anything itself: {@code io.boltshuffle.bench.WriteBench} does, inside Spark.
 *
 * <p><b>Threads:</b> the main thread.
 */
@NullMarked
package io.boltshuffle.proof.bench.write;

import org.jspecify.annotations.NullMarked;
