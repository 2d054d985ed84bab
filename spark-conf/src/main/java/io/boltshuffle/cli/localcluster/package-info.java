/**
 * {@code bolt cluster}: a Spark cluster of virtual hosts on this machine that stays when the command has returned.
 *
 * <p>One directory below the user's cache describes it: its processes and, once it is ready, how to reach it. A command
 * that starts or stops the cluster holds a lock, so that there is one cluster for each user.
 *
 * <p><b>Must not</b> end a process that it has not recorded together with the time of its start.
 *
 * <p><b>Threads:</b> the main thread.
 */
@NullMarked
package io.boltshuffle.cli.localcluster;

import org.jspecify.annotations.NullMarked;
