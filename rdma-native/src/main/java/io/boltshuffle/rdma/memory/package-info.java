/**
 * Registered memory: the shared slab that executors map, its registration in pieces, the pool of leases over it, and
 * the ledger that knows who holds what.
 *
 * <p>An agent makes a {@link io.boltshuffle.rdma.memory.Slab}, registers it with each device
 * ({@link io.boltshuffle.rdma.memory.SlabRegistration}) and leases it out
 * ({@link io.boltshuffle.rdma.memory.LeasePool}); an executor maps it with
 * {@link io.boltshuffle.rdma.memory.SlabReader}. Closed in the opposite order, each refuses to go while the next needs
 * it.
 *
 * <p><b>Must not</b> know about links, messages or Spark. Names JNA in one class, for the mapping.
 *
 * <p><b>Threads:</b> the pool may be used from any thread; a lease has one owner at a time.
 */
@NullMarked
package io.boltshuffle.rdma.memory;

import org.jspecify.annotations.NullMarked;
