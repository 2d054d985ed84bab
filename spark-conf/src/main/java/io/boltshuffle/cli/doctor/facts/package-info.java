/**
 * What the outside commands printed, as values. Each value parses its own command's text.
 *
 * <p><b>Must not</b> run anything, and must not fail: a parser returns what it recognises in any text whatever (missing
 * means unknown), and leaves judging to {@code check}. The formats are known from documentation and bug reports, not
 * from captures of our own.
 *
 * <p><b>Threads:</b> none; values and pure functions.
 */
@NullMarked
package io.boltshuffle.cli.doctor.facts;

import org.jspecify.annotations.NullMarked;
