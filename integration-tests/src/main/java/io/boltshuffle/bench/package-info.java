/**
 * What {@code bolt bench} runs inside Spark, and the records in which it gets its orders and gives its figures.
 *
 * <p><b>Must not</b> judge or print tables: that is the command's.
 *
 * <p><b>Threads:</b> programs run on the driver's main thread; what runs in executors says so.
 */
@NullMarked
package io.boltshuffle.bench;

import org.jspecify.annotations.NullMarked;
