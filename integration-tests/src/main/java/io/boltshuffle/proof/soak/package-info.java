/**
 * {@code bolt soak}: jobs in a loop while things fail, each result compared with stock Spark's, and the resources of
 * every process watched for growth.
 *
 * <p><b>Must not</b> start a cluster of its own making: {@code cli.cluster} does.
 *
 * <p><b>Threads:</b> the main thread follows the application; one thread strikes, one samples. What they share is
 * immutable or said to be for any thread.
 */
@NullMarked
package io.boltshuffle.proof.soak;

import org.jspecify.annotations.NullMarked;
