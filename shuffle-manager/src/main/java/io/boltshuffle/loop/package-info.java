/**
 * One thread that waits for many sockets: the event loop, its timers, and channels that carry whole frames. The agent
 * and its client both use it.
 *
 * <p><b>Must not</b> know what a frame means, or do anything that blocks.
 *
 * <p><b>Threads:</b> everything is confined to the loop's thread, except {@link io.boltshuffle.loop.Loop#execute} and
 * {@link io.boltshuffle.loop.EventLoop#close}.
 */
@NullMarked
package io.boltshuffle.loop;

import org.jspecify.annotations.NullMarked;
