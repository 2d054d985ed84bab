package io.boltshuffle.agent.files;

import io.boltshuffle.wire.BlockRange;
import java.nio.LongBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The places of the blocks of one map output in its file, as its index tells: the offset of each reduce partition, and
 * the end.
 *
 * <p><b>Threads:</b> any; nothing changes.
 */
record MapOutput(OutputFile file, LongBuffer offsets) {

    /**
     * Returns where the block lies; null if the index does not reach so far. The offsets in the index are not checked.
     */
    @Nullable FileRange range(BlockRange block) {
        return block.endReduce() >= offsets.capacity()
                ? null
                : file.between(offsets.get(block.startReduce()), offsets.get(block.endReduce()));
    }
}
