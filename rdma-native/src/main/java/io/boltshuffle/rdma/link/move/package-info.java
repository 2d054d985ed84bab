/**
 * Moves bytes over a connected queue pair: sending and serving reads, reading and receiving, checking what arrived, and
 * the pace of the poller. {@link io.boltshuffle.rdma.link.move.DataPath} is the whole of it.
 *
 * <p>What reaches beyond this room goes through functions that are given to it, so that a seeded simulation can drive
 * both ends in virtual time.
 *
 * <p><b>Must not</b> make or connect a queue pair, or know a thread or a clock.
 *
 * <p><b>Threads:</b> confined to the poller, except where a class says otherwise.
 */
@NullMarked
package io.boltshuffle.rdma.link.move;

import org.jspecify.annotations.NullMarked;
