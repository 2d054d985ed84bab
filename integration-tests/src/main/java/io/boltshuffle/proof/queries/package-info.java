/**
 * Runs the TPC-H and TPC-DS queries that Spark keeps among its tests, on two hosts, with Spark's shuffle and with ours,
 * and compares what they give.
 *
 * <p><b>Must not</b> know what a query does: equal is what the same query gave with stock Spark.
 *
 * <p><b>Threads:</b> the caller's.
 */
@NullMarked
package io.boltshuffle.proof.queries;

import org.jspecify.annotations.NullMarked;
