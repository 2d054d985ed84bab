/**
 * The verbs about the node agent: they run it, ask it for its state, and make the operating system keep it running.
 *
 * <p><b>Must not</b> hold anything that the agent itself needs.
 *
 * <p><b>Threads:</b> the caller's.
 */
@NullMarked
package io.boltshuffle.cli.agent;

import org.jspecify.annotations.NullMarked;
