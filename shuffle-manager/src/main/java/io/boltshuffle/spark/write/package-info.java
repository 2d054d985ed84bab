/**
 * The map side: a shuffle writer that writes each byte once, and the choice between it and Spark's own writers.
 *
 * <p><b>Must not</b> keep a record: Spark SQL hands the same row out again and again. <b>Must not</b> know how blocks
 * are fetched; what it commits are the files that Spark's own writers would have committed.
 *
 * <p><b>Threads:</b> a writer belongs to the thread of its task. Spark's memory manager may ask for memory from another
 * thread of the same task; {@link io.boltshuffle.spark.write.WriterMemory} turns that away.
 */
@NullMarked
package io.boltshuffle.spark.write;

import org.jspecify.annotations.NullMarked;
