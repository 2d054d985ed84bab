/**
 * {@code bolt bench stage} measures the cost of reading a shuffle as a stage of Spark, with stock Spark's shuffle and
 * with boltshuffle.
 *
 * <p><b>Must not</b> name a Spark class: the measuring program runs in Spark's processes and returns records.
 *
 * <p><b>Threads:</b> the main thread.
 */
@NullMarked
package io.boltshuffle.proof.bench.stage;

import org.jspecify.annotations.NullMarked;
