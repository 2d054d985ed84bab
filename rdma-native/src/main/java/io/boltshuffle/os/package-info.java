/**
 * Requests to the operating system itself: which one it is, short programs for a bounded time, signals, free ports, and
 * the end of a process with everything that it started.
 *
 * <p><b>Must not</b> know what any of the programs is for, and starts none that outlives the call.
 *
 * <p><b>Threads:</b> any; calls block for a bounded time.
 */
@NullMarked
package io.boltshuffle.os;

import org.jspecify.annotations.NullMarked;
