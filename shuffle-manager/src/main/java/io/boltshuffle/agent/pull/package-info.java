/**
 * Pulls over links in both directions: asking for blocks, serving them, cutting them into stripes, and the memory of
 * both.
 *
 * <p><b>Must not</b> know peers or sessions: a peer hands in its links ({@link io.boltshuffle.agent.cable.LinkSet}) and
 * a way to send messages.
 *
 * <p><b>Threads:</b> said at each class.
 */
@NullMarked
package io.boltshuffle.agent.pull;

import org.jspecify.annotations.NullMarked;
