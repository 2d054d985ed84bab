/**
 * Messages that the two ends of a link exchange over the channel beside the cable, and their layout in bytes.
 *
 * <p><b>Must not</b> decide anything, or trust a byte of the peer.
 *
 * <p><b>Threads:</b> none; values and pure functions.
 */
@NullMarked
package io.boltshuffle.rdma.link.protocol;

import org.jspecify.annotations.NullMarked;
