/**
 * Registered memory: the shared slab that executors map, its registration in pieces, the pool of leases over it, and the
 * ledger that knows who holds what.
 *
 * <p><b>Must not</b> know about links, messages or Spark.
 *
 * <p><b>Threads:</b> the pool may be used from any thread; a lease has one owner at a time.
 */
@NullMarked
package io.boltshuffle.rdma.memory;

import org.jspecify.annotations.NullMarked;
