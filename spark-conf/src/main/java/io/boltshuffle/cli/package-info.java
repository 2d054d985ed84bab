/**
 * The {@code bolt} command: one class per verb. A verb takes plain words, prints a table or JSON, and ends with an exit
 * code that tells the truth.
 *
 * <p><b>Must not</b> hold logic that the agent or the plugin needs.
 *
 * <p><b>Threads:</b> the main thread; helpers end with the verb.
 */
@NullMarked
package io.boltshuffle.cli;

import org.jspecify.annotations.NullMarked;
