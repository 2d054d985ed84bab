/**
 * What macOS prints about its Thunderbolt ports, as values: the doctor explains them, the agent pairs cables by them.
 *
 * <p><b>Must not</b> run anything, and must not fail: a parser returns what it recognises in any text whatever. The
 * formats are known from documentation and bug reports, not from captures of our own.
 *
 * <p><b>Threads:</b> none; values and pure functions.
 */
@NullMarked
package io.boltshuffle.topology.mac;

import org.jspecify.annotations.NullMarked;
