/**
 * The program by which {@code bolt bench write} measures the map side of a shuffle inside Spark, and its records.
 *
 * <p><b>Must not</b> judge or print tables; the command does.
 *
 * <p><b>Threads:</b> the driver's main thread; code that runs in tasks says so.
 */
@NullMarked
package io.boltshuffle.proof.bench.inspark.write;

import org.jspecify.annotations.NullMarked;
