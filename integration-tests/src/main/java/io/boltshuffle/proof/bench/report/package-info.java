/**
 * Presents measurements: quantities with their medians and spreads, columns of tables, the state of the machine.
 *
 * <p><b>Must not</b> measure.
 *
 * <p><b>Threads:</b> the main thread.
 */
@NullMarked
package io.boltshuffle.proof.bench.report;

import org.jspecify.annotations.NullMarked;
