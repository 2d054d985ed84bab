/**
 * {@code bolt bench stage}: what reading a shuffle costs as a stage of Spark, with stock Spark's shuffle and with
 * boltshuffle.
 *
 * <p><b>Must not</b> name a Spark class: what measures runs in Spark's processes and hands over records.
 *
 * <p><b>Threads:</b> the main thread.
 */
@NullMarked
package io.boltshuffle.proof.bench.stage;

import org.jspecify.annotations.NullMarked;
