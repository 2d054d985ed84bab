/**
 * Finds the queries of TPC-H and TPC-DS that Spark keeps among its tests, and chooses of them.
 *
 * <p><b>Must not</b> run a query, or know what it does.
 *
 * <p><b>Threads:</b> the caller's.
 */
@NullMarked
package io.boltshuffle.proof.queries;

import org.jspecify.annotations.NullMarked;
