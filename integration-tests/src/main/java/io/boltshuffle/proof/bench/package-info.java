/**
 * Measurements that alternate with their reference: a route with stock Spark, a link with a program in C. Figures are
 * printed with their spread.
 *
 * <p><b>Must not</b> judge, except by a limit that is printed beside the figure.
 *
 * <p><b>Threads:</b> the main thread.
 */
@NullMarked
package io.boltshuffle.proof.bench;

import org.jspecify.annotations.NullMarked;
