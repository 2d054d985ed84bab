/**
 * The code that runs inside the JVMs of Spark's own test suites: a Java agent that gives the workers of a
 * {@code local-cluster} hosts of their own and puts the plugin's shuffle manager where a suite asks for Spark's, and
 * that manager, which counts what it is used for.
 *
 * <p><b>Must not</b> be used outside {@code bolt conformance}, because it changes Spark's classes as they are loaded.
 *
 * <p><b>Threads:</b> safe from any.
 */
@NullMarked
package io.boltshuffle.proof.conformance.inspark;

import org.jspecify.annotations.NullMarked;
