/** Measures the cost of blocks in memory on their way to another host: broadcasts, cached partitions, results. */
@NullMarked
package io.boltshuffle.proof.bench.blocks;

import org.jspecify.annotations.NullMarked;
