/**
 * The programs that {@code bolt queries} runs inside Spark: they make the tables of TPC-H and TPC-DS, and run Spark's
 * own queries over them.
 *
 * <p><b>Must not</b> compare: each run records its results, and the command compares them.
 *
 * <p><b>Threads:</b> programs run on the driver's main thread; rows are generated in tasks.
 */
@NullMarked
package io.boltshuffle.queries;

import org.jspecify.annotations.NullMarked;
