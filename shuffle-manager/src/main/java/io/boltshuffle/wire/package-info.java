/**
 * Messages of the Unix domain socket (executor to agent) and of the control connection (agent to agent): codecs,
 * limits, versions.
 *
 * <p><b>Must not</b> open sockets or trust a length.
 *
 * <p><b>Threads:</b> none; values and pure functions.
 */
@NullMarked
package io.boltshuffle.wire;

import org.jspecify.annotations.NullMarked;
