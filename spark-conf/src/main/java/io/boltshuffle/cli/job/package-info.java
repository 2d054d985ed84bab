/**
 * Spark programs that are submitted to a cluster of {@code cli.cluster} and followed to their end: what to run and with
 * which shuffle, what its driver tells, and the figures of its executors.
 *
 * <p><b>Must not</b> leave a driver behind: the command's teardown ends it in any case.
 *
 * <p><b>Threads:</b> the caller's.
 */
@NullMarked
package io.boltshuffle.cli.job;

import org.jspecify.annotations.NullMarked;
