/**
 * Applications that run alternately with stock Spark's shuffle and with boltshuffle, on the same data, and the
 * comparison of the costs of their pieces.
 *
 * <p><b>Must not</b> know what a piece does: two pieces are equal if they gave the same answer.
 *
 * <p><b>Threads:</b> the main thread.
 */
@NullMarked
package io.boltshuffle.proof.bench.compare;

import org.jspecify.annotations.NullMarked;
