/**
 * The agent process, one per host: sessions of its executors, connections to peer agents, pulls, block sources. It owns
 * devices, slab and links, so that no executor ever opens a device.
 *
 * <p><b>Must not</b> name a Spark class outside the one block source that resolves shuffle files.
 *
 * <p><b>Threads:</b> said at each class.
 */
@NullMarked
package io.boltshuffle.agent;

import org.jspecify.annotations.NullMarked;
