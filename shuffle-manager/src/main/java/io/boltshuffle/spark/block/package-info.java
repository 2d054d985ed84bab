/**
 * Spark's block transfer service with RDMA for pieces of broadcasts, cached partitions and results: what stands in
 * front of Spark's own, how it gets there, and how blocks of this process are laid out for others.
 *
 * <p><b>Must not</b> be loaded with {@code spark.boltshuffle.blocks=shuffle}; must not touch blocks of shuffles.
 *
 * <p><b>Threads:</b> said at each class.
 */
@NullMarked
package io.boltshuffle.spark.block;

import org.jspecify.annotations.NullMarked;
