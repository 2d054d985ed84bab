/**
 * Files that this host serves: whose files there are, where a block lies, open files, the threads that read them, and
 * how much may be staged for peers at once.
 *
 * <p><b>Must not</b> know links, ports or pulls; those that keep memory give it up as a {@code StagingBudget.Saver}. It
 * is the only room that names Spark, in {@link
 * io.boltshuffle.agent.stage.ExternalShuffleBlockSource}.
 *
 * <p><b>Threads:</b> said at each class.
 */
@NullMarked
package io.boltshuffle.agent.stage;

import org.jspecify.annotations.NullMarked;
