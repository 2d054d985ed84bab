/**
 * The ports of this host, how they pair with those of a peer, and one slot for each link over a cable.
 *
 * <p><b>Must not</b> know pulls or files: links carry ranges of leased memory.
 *
 * <p><b>Threads:</b> said at each class.
 */
@NullMarked
package io.boltshuffle.agent.cable;

import org.jspecify.annotations.NullMarked;
