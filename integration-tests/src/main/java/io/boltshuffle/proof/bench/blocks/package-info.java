/** What blocks in memory cost on their way to another host: broadcasts, cached partitions, results. */
@NullMarked
package io.boltshuffle.proof.bench.blocks;

import org.jspecify.annotations.NullMarked;
