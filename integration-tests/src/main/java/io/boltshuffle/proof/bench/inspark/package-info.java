/**
 * The programs that {@code bolt bench} runs inside Spark, and the records by which it gives them orders and gets their
 * figures.
 *
 * <p><b>Must not</b> judge or print tables; the command does.
 *
 * <p><b>Threads:</b> programs run on the driver's main thread; code that runs in executors says so.
 */
@NullMarked
package io.boltshuffle.proof.bench.inspark;

import org.jspecify.annotations.NullMarked;
