/**
 * The agents of other hosts: dialling and listening, handshake and trust, and the life of each peer with its links.
 *
 * <p>A class tells its owner what happened through an interface that it declares itself, {@code Listener} or {@code
 * Owner}: so each names only those that it is made of, and can be read without those above it.
 *
 * <p><b>Must not</b> know executors' sessions, which it tells about routes through {@link
 * io.boltshuffle.agent.peer.RouteListener}.
 *
 * <p><b>Threads:</b> said at each class.
 */
@NullMarked
package io.boltshuffle.agent.peer;

import org.jspecify.annotations.NullMarked;
