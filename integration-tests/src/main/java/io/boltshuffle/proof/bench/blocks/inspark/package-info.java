/**
 * The program that measures how blocks in memory travel: broadcasts, cached partitions, results.
 *
 * <p><b>Must not</b> judge or print tables; the command does.
 *
 * <p><b>Threads:</b> the driver's main thread; what runs in an executor says so.
 */
@NullMarked
package io.boltshuffle.proof.bench.blocks.inspark;

import org.jspecify.annotations.NullMarked;
