/**
 * The fetching of blocks by an executor: each request is cut into a part for RDMA and a part for Netty, an agent's
 * answer is handed to Spark in place, and blocks that fail are fetched again by Netty.
 *
 * <p><b>Must not</b> know the shuffle manager, the reader or the writer. {@link
 * io.boltshuffle.spark.fetch.AgentTransport} is the only class that fetches through the agent's client.
 *
 * <p><b>Threads:</b> said at each class.
 */
@NullMarked
package io.boltshuffle.spark.fetch;

import org.jspecify.annotations.NullMarked;
