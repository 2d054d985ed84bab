/**
 * The program that makes the tables of TPC-H and TPC-DS inside Spark, and the digest of a query's answer.
 *
 * <p><b>Must not</b> compare: each run records its results, and the command compares them.
 *
 * <p><b>Threads:</b> programs run on the driver's main thread; rows are generated in tasks.
 */
@NullMarked
package io.boltshuffle.proof.queries.inspark;

import org.jspecify.annotations.NullMarked;
