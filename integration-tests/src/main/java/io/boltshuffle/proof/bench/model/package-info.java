/**
 * {@code bolt bench model} computes from measured CPU times and published cable speeds what one may expect of Macs,
 * which this project does not have.
 *
 * <p><b>Must not</b> be mistaken for a measurement: its output says that it is a prediction, and names the assumptions.
 *
 * <p><b>Threads:</b> the main thread.
 */
@NullMarked
package io.boltshuffle.proof.bench.model;

import org.jspecify.annotations.NullMarked;
