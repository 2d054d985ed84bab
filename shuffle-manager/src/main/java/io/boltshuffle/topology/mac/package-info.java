/**
 * Parses what macOS prints about its Thunderbolt ports. The doctor explains these values, and the agent pairs cables by
 * them.
 *
 * <p><b>Must not</b> run anything, and must not fail: a parser accepts any text and returns what it recognises. The
 * formats come from documentation and bug reports, not from captures made for this project.
 *
 * <p><b>Threads:</b> none; values and pure functions.
 */
@NullMarked
package io.boltshuffle.topology.mac;

import org.jspecify.annotations.NullMarked;
