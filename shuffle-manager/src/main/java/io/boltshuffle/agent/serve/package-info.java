/**
 * Pulls that this host serves: asking owners for blocks, staging files, cutting what lies in memory into stripes for
 * links, and the memory of all that.
 *
 * <p><b>Must not</b> know peers or sessions: a peer hands in its links ({@link io.boltshuffle.agent.cable.LinkSet}) and
 * a way to send messages. Nor does it know fetches, which have the same conversation at its other end.
 *
 * <p><b>Threads:</b> said at each class.
 */
@NullMarked
package io.boltshuffle.agent.serve;

import org.jspecify.annotations.NullMarked;
