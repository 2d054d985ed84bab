/**
 * The output of the outside commands, as values. Each value parses its own command's text.
 *
 * <p><b>Must not</b> run anything, and must not fail: a parser accepts any text and returns what it recognises (missing
 * means unknown), and leaves judgement to {@code check}. The formats come from documentation and bug reports, not from
 * captures made for this project.
 *
 * <p><b>Threads:</b> none; values and pure functions.
 */
@NullMarked
package io.boltshuffle.cli.doctor.facts;

import org.jspecify.annotations.NullMarked;
