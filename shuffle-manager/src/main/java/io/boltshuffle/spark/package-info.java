/**
 * Everything that names a Spark class. Here is what Spark is told to load, the plugin and the shuffle manager, and what
 * they start; the rest is in the rooms, which do not name this one.
 *
 * <p><b>Must not</b> know how bytes move; it asks {@code client}.
 *
 * <p><b>Threads:</b> called from Spark's task and Netty threads; each class says which.
 */
@NullMarked
package io.boltshuffle.spark;

import org.jspecify.annotations.NullMarked;
