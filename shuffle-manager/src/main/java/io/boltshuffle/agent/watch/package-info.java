/**
 * The watch over an agent: whether executors still find it, and how many files it may open.
 *
 * <p><b>Must not</b> know any other part of the agent: it tells what it saw to a {@code Listener}, or to the log.
 *
 * <p><b>Threads:</b> the watch has a thread of its own, because file systems may hang.
 */
@NullMarked
package io.boltshuffle.agent.watch;

import org.jspecify.annotations.NullMarked;
