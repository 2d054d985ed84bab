/**
 * SQL's rows as Spark's {@code UnsafeRowSerializer} lays them down: four bytes of size, highest first, and the row's
 * bytes. This package knows that format, so that writer and reader need no stream of Spark's between a row and its
 * buffer: those take a lock four to nine times for each row.
 *
 * <p><b>Must not</b> change a byte of the format: either side may be Spark's own.
 *
 * <p><b>Threads:</b> confined to the task's.
 */
@NullMarked
package io.boltshuffle.spark.rows;

import org.jspecify.annotations.NullMarked;
