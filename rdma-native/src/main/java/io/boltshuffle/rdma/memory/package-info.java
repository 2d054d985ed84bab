/**
 * Registered memory: the shared slab that executors map, its registration in pieces, the pool of leases over it, and
 * the ledger of outstanding leases.
 *
 * <p>An agent creates a {@link io.boltshuffle.rdma.memory.Slab}, registers it with each device
 * ({@link io.boltshuffle.rdma.memory.SlabRegistration}) and leases it out
 * ({@link io.boltshuffle.rdma.memory.LeasePool}); an executor maps it with
 * {@link io.boltshuffle.rdma.memory.SlabReader}. They are closed in the opposite order, and each refuses to close while
 * the next needs it.
 *
 * <p><b>Must not</b> know about links, messages or Spark. One class names JNA, for the mapping.
 *
 * <p><b>Threads:</b> any thread may use the pool; a lease has one owner at a time.
 */
@NullMarked
package io.boltshuffle.rdma.memory;

import org.jspecify.annotations.NullMarked;
