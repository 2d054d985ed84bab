/**
 * Files that this host serves: whose files there are, where a block lies, open files, and the threads that read them.
 *
 * <p><b>Must not</b> know links, ports or pulls. It is the only room that names Spark, in {@link
 * io.boltshuffle.agent.files.ExternalShuffleBlockSource}.
 *
 * <p><b>Threads:</b> said at each class.
 */
@NullMarked
package io.boltshuffle.agent.files;

import org.jspecify.annotations.NullMarked;
