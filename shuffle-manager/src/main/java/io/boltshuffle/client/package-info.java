/**
 * The executor's side of the Unix domain socket: finding or starting the agent, asking it for blocks, and the mapped
 * slab from which blocks are read.
 *
 * <p><b>Must not</b> name a Spark class, or open an RDMA device.
 *
 * <p><b>Threads:</b> said at each class.
 */
@NullMarked
package io.boltshuffle.client;

import org.jspecify.annotations.NullMarked;
