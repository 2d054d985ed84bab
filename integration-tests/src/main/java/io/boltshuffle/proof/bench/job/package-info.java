/**
 * {@code bolt bench job} measures the cost of whole jobs, with stock Spark's shuffle and with boltshuffle.
 *
 * <p><b>Must not</b> name a Spark class: the measuring program runs in Spark's processes and returns records.
 *
 * <p><b>Threads:</b> the main thread.
 */
@NullMarked
package io.boltshuffle.proof.bench.job;

import org.jspecify.annotations.NullMarked;
