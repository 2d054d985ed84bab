/**
 * Runs Spark's own test suites, from its published test jars, with Spark's shuffle and with ours, and compares them
 * test by test.
 *
 * <p><b>Must not</b> contain tests: what a suite checks is Spark's word. What runs inside its JVM is
 * {@code io.boltshuffle.conformance}.
 *
 * <p><b>Threads:</b> the caller's.
 */
@NullMarked
package io.boltshuffle.proof.conformance;

import org.jspecify.annotations.NullMarked;
