/**
 * {@code --baseline}: the ways in which stock Spark takes part in a comparison besides as it comes.
 *
 * <p><b>Must not</b> change how boltshuffle runs: a baseline is only more that the plugin is compared with.
 *
 * <p><b>Threads:</b> the main thread.
 */
@NullMarked
package io.boltshuffle.proof.bench.baseline;

import org.jspecify.annotations.NullMarked;
