/**
 * The {@code bolt} command: one class per verb, plain words in, a table or JSON out, an exit code that does not lie.
 *
 * <p><b>Must not</b> hold logic that the agent or the plugin needs.
 *
 * <p><b>Threads:</b> the main thread; helpers end with the verb.
 */
@NullMarked
package io.boltshuffle.cli;

import org.jspecify.annotations.NullMarked;
