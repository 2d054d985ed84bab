/**
 * Cables: which hosts they join, what each is worth, which addresses to assign, and how the cluster looks as text and
 * as SVG.
 *
 * <p><b>Must not</b> pair ports by device name: the same name on two Macs means nothing, and crossed cables then fail
 * in silence. The two ends of a cable are known by the Thunderbolt domain UUIDs by which they name each other.
 *
 * <p><b>Threads:</b> none; values and pure functions.
 */
@NullMarked
package io.boltshuffle.cli.doctor.fabric;

import org.jspecify.annotations.NullMarked;
