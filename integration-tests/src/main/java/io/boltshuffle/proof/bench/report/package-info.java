/**
 * Presents measurements: statistics, plots, one HTML page without a reference to anything outside of it.
 *
 * <p><b>Must not</b> measure.
 *
 * <p><b>Threads:</b> the main thread.
 */
@NullMarked
package io.boltshuffle.proof.bench.report;

import org.jspecify.annotations.NullMarked;
