/**
 * A ladder that two processes climb together to see whether RDMA works between them: library, devices, port, memory,
 * queue pair, connection, ping-pong, checked stream. It stops at the first rung that fails and says what that means and
 * what to do.
 *
 * <p>The lower rungs use verbs directly, so that a failure names the call; the last one uses a real link.
 *
 * <p><b>Must not</b> try anything twice, open a connection, or print.
 *
 * <p><b>Threads:</b> {@link io.boltshuffle.cli.verify.ladder.Ladder#climb} works on the thread of its caller; one
 * thread reads the side channel meanwhile.
 */
@NullMarked
package io.boltshuffle.cli.verify.ladder;

import org.jspecify.annotations.NullMarked;
