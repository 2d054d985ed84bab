/**
 * One thread that waits for many sockets: the event loop, its timers, and channels that carry whole frames. The agent
 * and its client both use it.
 *
 * <p><b>Must not</b> know what a frame means, or do anything that blocks.
 *
 * <p><b>Threads:</b> everything is confined to the loop, which is its own thread, or another in its place while that
 * sleeps ({@link io.boltshuffle.loop.Loop#hurry}), except {@link io.boltshuffle.loop.Loop#execute}, {@code hurry} and
 * {@link io.boltshuffle.loop.EventLoop#close}.
 */
@NullMarked
package io.boltshuffle.loop;

import org.jspecify.annotations.NullMarked;
