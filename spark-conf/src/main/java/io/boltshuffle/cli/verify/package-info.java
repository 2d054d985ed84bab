/**
 * {@code bolt verify}: meets the other host over TCP, climbs the ladder of {@code cli.verify.ladder} with it, and
 * prints each rung as it is reached; {@code --virtual} starts both hosts here, on a virtual cable.
 *
 * <p><b>Must not</b> touch verbs itself, or climb twice.
 *
 * <p><b>Threads:</b> the main thread.
 */
@NullMarked
package io.boltshuffle.cli.verify;

import org.jspecify.annotations.NullMarked;
