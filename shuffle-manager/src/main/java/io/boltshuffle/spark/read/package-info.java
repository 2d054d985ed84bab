/**
 * The reduce side: a shuffle reader that reads as Spark's own does, from blocks that another client fetches.
 *
 * <p><b>Must not</b> know how blocks are fetched, nor how they were written.
 *
 * <p><b>Threads:</b> a reader is confined to the thread of its task.
 */
@NullMarked
package io.boltshuffle.spark.read;

import org.jspecify.annotations.NullMarked;
