/**
 * One cable to one peer, as its owner sees it: the contract of a link, what goes into it and what comes out of it.
 *
 * <p>{@link io.boltshuffle.rdma.link.Link} is the contract. Rooms below this one keep it, and each names only the rooms
 * before it: {@code protocol} has the messages of the two ends, {@code move} moves bytes over a connected queue pair,
 * {@code setup} brings a link up, and {@code engine} joins them and runs them; {@code engine.QueuePairLink.start}
 * builds a link. Nothing here names a room.
 *
 * <p>Some members are public for the rooms only: the key and the addresses of an {@link io.boltshuffle.rdma.link.Offer}
 * and of a {@link io.boltshuffle.rdma.link.RangePart}, the entries of a {@link
 * io.boltshuffle.rdma.link.CalibrationHistory}.
 *
 * <p><b>Must not</b> open sockets, choose peers, own the slab or name Spark.
 *
 * <p><b>Threads:</b> values, or as each interface says.
 */
@NullMarked
package io.boltshuffle.rdma.link;

import org.jspecify.annotations.NullMarked;
