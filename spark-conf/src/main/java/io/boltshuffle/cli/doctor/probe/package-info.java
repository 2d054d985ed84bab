/**
 * Collects facts by outside commands, each with a deadline, here or over ssh, and keeps their text in a file.
 *
 * <p><b>Must not</b> understand what a command printed. A command that hangs, is missing or fails is an
 * {@link io.boltshuffle.cli.doctor.probe.Outcome}, never an exception.
 *
 * <p><b>Threads:</b> one for each host while collecting; values are immutable.
 */
@NullMarked
package io.boltshuffle.cli.doctor.probe;

import org.jspecify.annotations.NullMarked;
