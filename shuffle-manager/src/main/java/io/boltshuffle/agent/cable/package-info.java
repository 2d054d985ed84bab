/**
 * The ports of this host, how they pair with those of a peer, and one slot for each link over a cable.
 *
 * <p><b>Must not</b> know pulls or files: links carry ranges of leased memory. Nor does it know peers, which a {@link
 * io.boltshuffle.agent.cable.LinkSlot} tells its end as its {@code Owner}.
 *
 * <p><b>Threads:</b> said at each class.
 */
@NullMarked
package io.boltshuffle.agent.cable;

import org.jspecify.annotations.NullMarked;
