/**
 * Runs the TPC-H and TPC-DS queries that Spark keeps among its tests, on two hosts, with Spark's shuffle and with the
 * plugin's, and compares the results.
 *
 * <p><b>Must not</b> know what a query does: results are equal if they equal those of the same query with stock Spark.
 *
 * <p><b>Threads:</b> the caller's.
 */
@NullMarked
package io.boltshuffle.proof.queries;

import org.jspecify.annotations.NullMarked;
