/**
 * One cable to one peer: set-up over a channel that the caller gives, frame budget, message-size calibration, send mode
 * (UC), read mode (RC), the poller, and teardown in the right order.
 *
 * <p>{@link io.boltshuffle.rdma.link.Link} is the contract; {@link io.boltshuffle.rdma.link.QueuePairLink} keeps it over one
 * queue pair. The protocol is a set of state machines that know neither threads nor clocks, so that a seeded simulation
 * can drive both ends in virtual time.
 *
 * <p><b>Must not</b> open sockets, choose peers, own the slab or name Spark.
 *
 * <p><b>Threads:</b> a {@link io.boltshuffle.rdma.link.LinkPoller} thread owns a link's queue pair and all its state;
 * everything else posts to it. Verbs control calls run on the control executor, never on the poller.
 */
@NullMarked
package io.boltshuffle.rdma.link;

import org.jspecify.annotations.NullMarked;
