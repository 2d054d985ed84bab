/**
 * The agent process, one per host: how it starts, watches over what it needs, tells its state, and ends. It owns
 * devices, slab and links, so that no executor ever opens a device.
 *
 * <p>What it does is in its rooms, each of which names only those after it: {@code session}, {@code peer}, then {@code
 * fetch} and {@code serve}, which do not know each other, and then {@code files}, {@code live} and {@code cable}. All
 * of them may name {@code base}. {@code watch} knows none of them.
 *
 * <p><b>Must not</b> name a Spark class outside the one block source that resolves shuffle files.
 *
 * <p><b>Threads:</b> said at each class.
 */
@NullMarked
package io.boltshuffle.agent;

import org.jspecify.annotations.NullMarked;
