/**
 * {@code bolt bench fetch} measures the cost of fetching blocks by Spark's client and by the plugin's.
 *
 * <p><b>Must not</b> name a Spark class: the measuring program runs in Spark's processes and returns records.
 *
 * <p><b>Threads:</b> the main thread.
 */
@NullMarked
package io.boltshuffle.proof.bench.fetch;

import org.jspecify.annotations.NullMarked;
