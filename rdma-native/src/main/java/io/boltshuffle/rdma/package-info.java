/**
 * Interfaces to RDMA verbs: provider, device, protection domain, memory region, completion queue, queue pair; and
 * {@link io.boltshuffle.rdma.Availability}, because a missing library or device is a value here, not an exception.
 *
 * <p><b>Must not</b> name a native library, a symbol, an offset or a socket. Providers live in packages below this one.
 *
 * <p><b>Threads:</b> control calls (open, query, register, create, modify, close) may be made from any thread and may
 * block it for a bounded time: a call that takes longer ends in {@link io.boltshuffle.rdma.DeviceStuckException}.
 * Posting and polling never block and belong to the thread that owns the queue pair.
 */
@NullMarked
package io.boltshuffle.rdma;

import org.jspecify.annotations.NullMarked;
