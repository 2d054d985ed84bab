/**
 * Measurements: what a route costs against stock Spark, on the same cluster and the same data, taken by turns.
 *
 * <p><b>Must not</b> judge: figures are printed with their spread, and the reader decides.
 *
 * <p><b>Threads:</b> the main thread.
 */
@NullMarked
package io.boltshuffle.cli.bench;

import org.jspecify.annotations.NullMarked;
