/**
 * The executor's side of the Unix domain socket: it finds or starts the agent, requests blocks, and maps the slab from
 * which tasks read blocks.
 *
 * <p><b>Must not</b> name a Spark class, or open an RDMA device.
 *
 * <p><b>Threads:</b> each class says which threads may call it.
 */
@NullMarked
package io.boltshuffle.client;

import org.jspecify.annotations.NullMarked;
