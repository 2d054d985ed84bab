/**
 * What this code asks of the operating system itself: which one it is, the end of a process with everything that it started, and
 * short programs, which are run for a bounded time.
 *
 * <p><b>Must not</b> know what any of the programs is for, and starts none that outlives the call.
 *
 * <p><b>Threads:</b> any; calls block for a bounded time.
 */
@NullMarked
package io.boltshuffle.os;

import org.jspecify.annotations.NullMarked;
