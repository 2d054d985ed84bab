/**
 * {@code bolt soak} runs jobs in a loop while faults strike, compares each result with stock Spark's, and watches the
 * resources of every process for growth.
 *
 * <p><b>Must not</b> start a cluster of its own making: {@code cli.cluster} does.
 *
 * <p><b>Threads:</b> the main thread follows the application; one thread strikes, one samples. They share only
 * immutable objects, and objects that say they are for any thread.
 */
@NullMarked
package io.boltshuffle.proof.soak;

import org.jspecify.annotations.NullMarked;
