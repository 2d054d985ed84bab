/**
 * Runs Spark's own test suites, from its published test jars, with Spark's shuffle and with the plugin's, and compares
 * them test by test.
 *
 * <p><b>Must not</b> contain tests: Spark's suites decide what they check. The code that runs inside their JVM is
 * {@code io.boltshuffle.proof.conformance.inspark}.
 *
 * <p><b>Threads:</b> the caller's.
 */
@NullMarked
package io.boltshuffle.proof.conformance;

import org.jspecify.annotations.NullMarked;
