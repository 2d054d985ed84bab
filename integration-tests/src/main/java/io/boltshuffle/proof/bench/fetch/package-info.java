/**
 * {@code bolt bench fetch}: what fetching blocks costs by Spark's client and by the plugin's.
 *
 * <p><b>Must not</b> name a Spark class: what measures runs in Spark's processes and hands over records.
 *
 * <p><b>Threads:</b> the main thread.
 */
@NullMarked
package io.boltshuffle.proof.bench.fetch;

import org.jspecify.annotations.NullMarked;
