/**
 * The program that {@code bolt soak} runs inside Spark: one application that runs small jobs of several kinds until its
 * time is over, and records their results.
 *
 * <p><b>Must not</b> compare, and must not know about faults: the command causes faults and judges results.
 *
 * <p><b>Threads:</b> jobs are submitted on the driver's main thread, one at a time; rows are made and digested in
 * tasks.
 */
@NullMarked
package io.boltshuffle.proof.soak.inspark;

import org.jspecify.annotations.NullMarked;
