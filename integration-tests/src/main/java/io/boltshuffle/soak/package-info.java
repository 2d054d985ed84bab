/**
 * What {@code bolt soak} runs inside Spark: one application that runs small jobs of several kinds until its time is
 * over, and writes down what each gave.
 *
 * <p><b>Must not</b> compare, and must not know of faults: the command strikes and judges.
 *
 * <p><b>Threads:</b> jobs are submitted on the driver's main thread, one at a time; rows are made and digested in
 * tasks.
 */
@NullMarked
package io.boltshuffle.soak;

import org.jspecify.annotations.NullMarked;
