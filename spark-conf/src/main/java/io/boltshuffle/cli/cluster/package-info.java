/**
 * A standalone Spark cluster on this machine, with one worker for each loopback address, so that Spark sees hosts that
 * share no disk, and agents with virtual cables between those hosts.
 *
 * <p><b>Must not</b> leave a process or a file behind: the command's teardown owns everything that is started.
 *
 * <p><b>Must not</b> know the jobs that run on it.
 *
 * <p><b>Threads:</b> the caller's.
 */
@NullMarked
package io.boltshuffle.cli.cluster;

import org.jspecify.annotations.NullMarked;
