/**
 * The parts that all rooms of the agent use: its counters, its clock, pauses between attempts, closing in order, and
 * refusals.
 *
 * <p><b>Must not</b> know any other room of the agent.
 *
 * <p><b>Threads:</b> said at each class.
 */
@NullMarked
package io.boltshuffle.agent.base;

import org.jspecify.annotations.NullMarked;
