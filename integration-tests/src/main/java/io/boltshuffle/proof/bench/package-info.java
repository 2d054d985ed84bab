/**
 * Measurements by turns with what is measured against: a route against stock Spark, a link against a program in C.
 * Figures are printed with their spread.
 *
 * <p><b>Must not</b> judge, but by a limit that is printed beside the figure.
 *
 * <p><b>Threads:</b> the main thread.
 */
@NullMarked
package io.boltshuffle.proof.bench;

import org.jspecify.annotations.NullMarked;
