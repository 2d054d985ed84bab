/**
 * Cables: who is joined to whom, what that is worth, what addresses to give, and how it looks as text and as SVG.
 *
 * <p><b>Must not</b> pair ports by device name: the same name on two Macs means nothing, and crossed cables then fail
 * in silence. The two ends of a cable are known by the Thunderbolt domain UUIDs that they tell of each other.
 *
 * <p><b>Threads:</b> none; values and pure functions.
 */
@NullMarked
package io.boltshuffle.cli.doctor.fabric;

import org.jspecify.annotations.NullMarked;
