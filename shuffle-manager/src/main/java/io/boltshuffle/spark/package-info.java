/**
 * Everything that names a Spark class: the shuffle manager, the reader, the block store client that routes each fetch,
 * the managed buffers and the metrics.
 *
 * <p><b>Must not</b> know how bytes move; it asks {@code client}.
 *
 * <p><b>Threads:</b> called from Spark's task and Netty threads; each class says which.
 */
@NullMarked
package io.boltshuffle.spark;

import org.jspecify.annotations.NullMarked;
