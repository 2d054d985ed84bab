/**
 * {@code bolt bench model}: what measured CPU and published cable speeds let one expect of Macs that nobody here has.
 *
 * <p><b>Must not</b> be mistaken for a measurement: everything it prints says so, and names what it assumes.
 *
 * <p><b>Threads:</b> the main thread.
 */
@NullMarked
package io.boltshuffle.proof.bench.model;

import org.jspecify.annotations.NullMarked;
