/**
 * {@code bolt cluster}: a Spark cluster of virtual hosts on this machine that stays when the command has returned.
 *
 * <p>All that is known of it is in one directory below the user's cache: which processes it has, and, once it is ready,
 * where it is reached. A command that starts or stops it holds a lock, so that there is one cluster for each user.
 *
 * <p><b>Must not</b> end a process that it has not written down, with the time of its start.
 *
 * <p><b>Threads:</b> the main thread.
 */
@NullMarked
package io.boltshuffle.cli.localcluster;

import org.jspecify.annotations.NullMarked;
