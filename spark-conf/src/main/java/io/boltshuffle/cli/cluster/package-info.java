/**
 * A standalone Spark cluster on this machine: one worker for each loopback address, so that Spark sees hosts that share
 * no disk, and jobs submitted to it.
 *
 * <p><b>Must not</b> leave a process or a file behind: everything started is pushed on the command's teardown.
 *
 * <p><b>Threads:</b> the caller's, and one reader for each driver.
 */
@NullMarked
package io.boltshuffle.cli.cluster;

import org.jspecify.annotations.NullMarked;
