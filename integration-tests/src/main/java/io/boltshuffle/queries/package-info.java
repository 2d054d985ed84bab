/**
 * What {@code bolt queries} runs inside Spark: it makes the tables of TPC-H and TPC-DS, and runs Spark's own queries
 * over them.
 *
 * <p><b>Must not</b> compare: each run writes down what it got, and the command compares.
 *
 * <p><b>Threads:</b> programs run on the driver's main thread; rows are generated in tasks.
 */
@NullMarked
package io.boltshuffle.queries;

import org.jspecify.annotations.NullMarked;
