/**
 * Brings a link up: makes the queue pair, exchanges what the peer must know of it, connects it, and measures in what
 * messages bytes arrive best. Each phase of that is a type, see {@code SetupPhase}.
 *
 * <p>The engine that these phases work for is above this room, so they see it as the interfaces {@code Setup.Host} and
 * {@code ControlLane.Outcome}, although there is only one.
 *
 * <p><b>Must not</b> try anything twice, or know the state of a link that has been up.
 *
 * <p><b>Threads:</b> confined to the poller. Verbs control calls run on the control executor, never on the poller.
 */
@NullMarked
package io.boltshuffle.rdma.link.setup;

import org.jspecify.annotations.NullMarked;
