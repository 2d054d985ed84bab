/**
 * {@code bolt bench job}: applications that run with stock Spark's shuffle and with boltshuffle by turns, on the same
 * data, and the comparison of what their pieces cost.
 *
 * <p><b>Must not</b> name a Spark class, because what measures runs in Spark's processes and hands over records, nor
 * judge what a piece does: equal is what gave the same answer.
 *
 * <p><b>Threads:</b> the main thread.
 */
@NullMarked
package io.boltshuffle.proof.bench.compare;

import org.jspecify.annotations.NullMarked;
