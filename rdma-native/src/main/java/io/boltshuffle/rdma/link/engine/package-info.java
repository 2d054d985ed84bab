/**
 * A link over one queue pair: the state machine of its life, which knows neither threads nor clocks, and what runs that
 * machine on a poller, which the machine sees as its {@code Host}. {@link
 * io.boltshuffle.rdma.link.engine.QueuePairLink#start} is the way in.
 *
 * <p><b>Must not</b> be named by the other rooms of a link, which it joins.
 *
 * <p><b>Threads:</b> a {@link io.boltshuffle.rdma.link.engine.LinkPoller} thread owns a link's queue pair and all its
 * state; everything else posts to it. Verbs control calls run on the control executor, never on the poller.
 */
@NullMarked
package io.boltshuffle.rdma.link.engine;

import org.jspecify.annotations.NullMarked;
