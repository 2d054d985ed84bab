/**
 * {@code bolt up}, {@code join}, {@code leave} and {@code down}: a Spark cluster of several machines, each with a
 * worker and an agent, started by one command on each.
 *
 * <p>One private directory below the user's cache holds it: what runs, how to reach it, and what outlives it, which is
 * the first machine's certificate, the keys of those that joined, or the key that this machine got.
 *
 * <p><b>Must not</b> put a secret on a command line, or end a process that it has not recorded.
 *
 * <p><b>Threads:</b> the main thread; the join server has its own.
 */
@NullMarked
package io.boltshuffle.cli.up;

import org.jspecify.annotations.NullMarked;
