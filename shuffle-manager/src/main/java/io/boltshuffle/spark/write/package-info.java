/**
 * The map side: a shuffle writer that writes each byte once, and the choice between it and Spark's own writers.
 *
 * <p><b>Must not</b> keep a record, because Spark SQL passes the same row object again and again. <b>Must not</b> know
 * how blocks are fetched; it commits the files that Spark's own writers would have committed.
 *
 * <p><b>Threads:</b> a writer belongs to the thread of its task. Spark's memory manager may ask for memory from another
 * thread of the same task; {@link io.boltshuffle.spark.write.WriterMemory} then gives none. That class knows the data
 * that may be spilled only as its {@code Holder}.
 */
@NullMarked
package io.boltshuffle.spark.write;

import org.jspecify.annotations.NullMarked;
