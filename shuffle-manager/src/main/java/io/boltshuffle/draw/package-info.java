/**
 * Tools that show facts to people: figures, tables of words for a terminal or a page, and drawings as SVG.
 *
 * <p><b>Must not</b> know what is shown, name any other package of ours than {@code conf}, or load anything from
 * outside.
 *
 * <p><b>Threads:</b> the caller's; values and builders that one thread uses.
 */
@NullMarked
package io.boltshuffle.draw;

import org.jspecify.annotations.NullMarked;
